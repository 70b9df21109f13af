// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where arguments of sites without code are on x86-64, on any machine: the instructions are
 * those that the assembler makes, read by markers/arch/x86/operands.c.  TAP.
 */
#include <linux/ptrace.h>
#include "operand.h"

static unsigned int count, failed;

static void check(const char *what, bool good)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++count, what);
	failed += !good;
}

/* A block of memory; %rdi and other registers point to its middle. */
static s32 words[512];
static s32 *const middle = &words[256];
static struct pt_regs regs;

static bool is(const u8 *code, int length, enum marker_type type, unsigned long expected)
{
	struct marker_operand operand;

	return marker_operand_decode(code, type, &operand) == length &&
	       marker_operand_value(&operand, &regs) == expected;
}

static bool refused(const u8 *code)
{
	struct marker_operand operand;

	return marker_operand_decode(code, MARKER_TYPE_U64, &operand) == -EINVAL;
}

/* Behind the bytes are others, which belong to the next operand. */
#define CODE(...)	((const u8[24]) { __VA_ARGS__, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc })
#define IS(type, expected, ...)	is(CODE(__VA_ARGS__), sizeof((u8[]) { __VA_ARGS__ }), \
				   MARKER_TYPE_##type, expected)
#define WORD(i)	((unsigned long)(s64)middle[i])

/* mov near(%rip), %rax */
static bool near_is(s32 offset)
{
	static struct {
		u8 code[8];
		s32 words[4];
	} near = { { 0x48, 0x8b, 0x05 }, { 10, 11, 12, 13 } };
	s32 displacement = offset + (s32)((u8 *)near.words - (near.code + 7));

	memcpy(near.code + 3, &displacement, sizeof(displacement));
	return is(near.code, 7, MARKER_TYPE_S32, near.words[offset / 4]);
}

static bool has_only_a_displacement(void)
{
	struct marker_operand operand;

	return marker_operand_decode(CODE(0x48, 0x8b, 0x04, 0x25, 0xf0, 0xff, 0xff, 0xff),
				     MARKER_TYPE_U64, &operand) == 8 &&
	       operand.kind == OPERAND_MEMORY && operand.base == OPERAND_NONE &&
	       operand.index == OPERAND_NONE && operand.value == -16ul;
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = -(s32)i;
	regs.ax = 1;
	regs.bx = 0xfffffff0;
	regs.r12 = 12;
	regs.si = 3;
	regs.di = (unsigned long)middle;
	regs.sp = (unsigned long)&middle[1];
	regs.bp = (unsigned long)&middle[2];
	regs.r13 = (unsigned long)&middle[4];

	check("mov %rbx, %rax", IS(U64, 0xfffffff0, 0x48, 0x89, 0xd8));
	check("mov %rbx, %rax, of 32 bits with a sign", IS(S32, -16ul, 0x48, 0x89, 0xd8));
	check("mov %rbx, %rax, of 8 bits", IS(U8, 0xf0, 0x48, 0x89, 0xd8));
	check("mov %r12, %rax", IS(U64, 12, 0x4c, 0x89, 0xe0));
	check("mov %rbx, %rax in its other encoding", IS(U64, 0xfffffff0, 0x48, 0x8b, 0xc3));
	check("mov %r12, %rax in its other encoding", IS(U64, 12, 0x49, 0x8b, 0xc4));
	check("mov $-2, %rax", IS(S64, -2ul, 0x48, 0xc7, 0xc0, 0xfe, 0xff, 0xff, 0xff));
	check("movabs $0xfedcba9876543210, %rax",
	      IS(U64, 0xfedcba9876543210,
		 0x48, 0xb8, 0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe));
	check("mov (%rdi), %rax", IS(S32, WORD(0), 0x48, 0x8b, 0x07));
	check("mov 127(%rdi), %rax", IS(U8, ((u8 *)middle)[127], 0x48, 0x8b, 0x47, 0x7f));
	check("mov -128(%rdi), %rax", IS(S32, WORD(-32), 0x48, 0x8b, 0x47, 0x80));
	check("mov 128(%rdi), %rax", IS(S32, WORD(32), 0x48, 0x8b, 0x87, 0x80, 0, 0, 0));
	check("mov -132(%rdi), %rax",
	      IS(S32, WORD(-33), 0x48, 0x8b, 0x87, 0x7c, 0xff, 0xff, 0xff));
	check("mov (%rdi,%rsi,4), %rax", IS(S32, WORD(3), 0x48, 0x8b, 0x04, 0xb7));
	check("mov (%rdi,%r12,1), %rax", IS(S32, WORD(3), 0x4a, 0x8b, 0x04, 0x27));
	check("mov -8(%rdi,%r12,2), %rax", IS(S32, WORD(4), 0x4a, 0x8b, 0x44, 0x67, 0xf8));
	check("mov (%rsp), %rax", IS(S32, WORD(1), 0x48, 0x8b, 0x04, 0x24));
	check("mov 8(%rsp), %rax", IS(S32, WORD(3), 0x48, 0x8b, 0x44, 0x24, 0x08));
	check("mov 512(%rsp), %rax", IS(S32, WORD(129), 0x48, 0x8b, 0x84, 0x24, 0, 2, 0, 0));
	check("mov 0(%rbp), %rax", IS(S32, WORD(2), 0x48, 0x8b, 0x45, 0));
	check("mov 0(%r13), %rax", IS(S32, WORD(4), 0x49, 0x8b, 0x45, 0));
	check("mov 0(%r13,%rsi,8), %rax", IS(S32, WORD(10), 0x49, 0x8b, 0x44, 0xf5, 0));
	regs.r12 = (unsigned long)&middle[5];
	check("mov (%r12), %rax", IS(S32, WORD(5), 0x49, 0x8b, 0x04, 0x24));
	regs.si = (unsigned long)&middle[6] / 4;
	check("mov -4(,%rsi,4), %rax",
	      IS(S32, WORD(5), 0x48, 0x8b, 0x04, 0xb5, 0xfc, 0xff, 0xff, 0xff));
	check("mov 0xfffffffffffffff0, %rax", has_only_a_displacement());
	check("mov near(%rip), %rax", near_is(0) && near_is(12));
	check("refused: 32 bits", refused(CODE(0x40, 0x8b, 0x07)) && refused(CODE(0x8b, 0x07)));
	check("refused: another register than %rax",
	      refused(CODE(0x48, 0x8b, 0x0f)) && refused(CODE(0x4c, 0x8b, 0x07)) &&
	      refused(CODE(0x48, 0x89, 0xd9)) && refused(CODE(0x48, 0xc7, 0xc1, 0, 0, 0, 0)));
	check("refused: a store", refused(CODE(0x48, 0x89, 0x07)));
	check("refused: lea", refused(CODE(0x48, 0x8d, 0x07)));
	printf("1..%u\n", count);
	return failed > 0;
}
