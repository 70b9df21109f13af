// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where arguments of sites without code are on arm64, on any machine: the instructions are
 * those that the assembler makes, read by markers/arch/arm64/operands.c.  TAP.
 */
#include <linux/ptrace.h>
#include "operand.h"

static unsigned int count, failed;

static void check(const char *what, bool good)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++count, what);
	failed += !good;
}

/* Memory that x1 to x3, x29 and the stack pointer point to; x2 is -1 in its lower half. */
static s32 words[2048];
static struct pt_regs regs;

static bool decodes(u32 insn, enum marker_type type, struct marker_operand *operand)
{
	__aligned(8) u8 code[16] = { insn, insn >> 8, insn >> 16, insn >> 24 };

	return marker_operand_decode(code, type, operand) == 4;
}

static bool is(u32 insn, enum marker_type type, unsigned long expected)
{
	struct marker_operand operand;

	return decodes(insn, type, &operand) && marker_operand_value(&operand, &regs) == expected;
}

static bool refused(u32 insn)
{
	struct marker_operand operand;

	return !decodes(insn, MARKER_TYPE_U64, &operand);
}

/* @length: with the bytes before it, which align it to 8. */
static bool constant_is(unsigned int at, int length)
{
	__aligned(8) u8 code[24] = { };
	struct marker_operand operand;
	u64 value = 0xfedcba9876543210;

	memcpy(code + at + length - 8, &value, sizeof(value));
	return marker_operand_decode(code + at, MARKER_TYPE_U64, &operand) == length &&
	       marker_operand_value(&operand, &regs) == value;
}

int main(void)
{
	u8 *bytes = (u8 *)words;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = -(s32)i;
	regs.regs[1] = (unsigned long)&words[16];
	regs.regs[2] = 0x12345678ffffffff;
	regs.regs[3] = 3;
	regs.regs[19] = 0xfffffff0;
	regs.regs[29] = (unsigned long)&words[32];
	regs.sp = (unsigned long)words;

	check("mov x0, x19", is(0xaa1303e0, MARKER_TYPE_U64, 0xfffffff0));
	check("mov x0, x19, of 32 bits with a sign", is(0xaa1303e0, MARKER_TYPE_S32, -16ul));
	check("mov x0, x19, of 8 bits", is(0xaa1303e0, MARKER_TYPE_U8, 0xf0));
	check("mov x0, xzr", is(0xaa1f03e0, MARKER_TYPE_U64, 0));
	check("ldr w0, [x1, x3, lsl 2]", is(0xb8637820, MARKER_TYPE_S32, -19ul));
	check("ldr w0, [x1, w2, sxtw 2]", is(0xb862d820, MARKER_TYPE_S32, -15ul));
	regs.regs[2] = 0x1234567800000005;
	check("ldr w0, [x1, w2, uxtw 2]", is(0xb8625820, MARKER_TYPE_S32, -21ul));
	regs.regs[2] = 8;
	check("ldr w0, [x1, x2]", is(0xb8626820, MARKER_TYPE_S32, -18ul));
	check("ldur x0, [x29, -8]", is(0xf85f83a0, MARKER_TYPE_S64, ((u64)-31 << 32) | (u32)-30));
	check("ldrb w0, [sp, 809]", is(0x394ca7e0, MARKER_TYPE_U8, bytes[809]));
	check("ldr w0, [x1, 4]", is(0xb9400420, MARKER_TYPE_S32, -17ul));
	check("ldrh w0, [x1, 2]", is(0x79400420, MARKER_TYPE_U16, 0xffff));
	check("a constant, and where it ends", constant_is(0, 16));
	check("a constant behind 4 bytes", constant_is(4, 12));
	check("refused: an address that is changed before", refused(0xf84f8c20));
	check("refused: an address that is changed behind", refused(0xf8408420));
	check("refused: ldrsw", refused(0xb9800820));
	check("refused: a load from near the instruction", refused(0x58000000));
	check("refused: a store; another register than x0",
	      refused(0xf9000020) && refused(0xaa0203e1));
	printf("1..%u\n", count);
	return failed > 0;
}
