// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operands of sites without code. This decoder knows only the encodings of A64 that
 * site_operands.h asks for: MOV (register) and LDR, LDRH and LDRB with an immediate or a register
 * as offset; Arm ARM, C4.1 "A64 instruction set encoding".
 */
#include <linux/ptrace.h>
#include "encode.h"
#include "operand.h"

/* Numbers of registers here: 0 to 30, and the stack pointer. */
#define SP		31

#define MOV_MASK	0xffe0ffff
#define MOV_X0		0xaa0003e0
#define MOV_ZERO	31		/* zero as a source of MOV, not the stack pointer */

/* All bits but size, offset and base; opc is that of a load without sign. */
#define LOAD_MASK	0x3fc0001f
#define LOAD_SCALED	0x39400000	/* imm12, in units of the size */
#define LOAD_NEAR_MASK	0x3fe00c1f
#define LOAD_NEAR	0x38400000	/* imm9, in bytes, with a sign */
#define LOAD_INDEX	0x38600800	/* a register */

#define OPTION_UXTW	2
#define OPTION_LSL	3
#define OPTION_SXTW	6
#define OPTION_SXTX	7

static u32 field(u32 insn, unsigned int low, unsigned int bits)
{
	return insn >> low & ((1u << bits) - 1);
}

static int decode_index(u32 insn, unsigned int size, struct marker_operand *operand)
{
	unsigned int rm = field(insn, 16, 5);

	operand->index = rm == MOV_ZERO ? OPERAND_NONE : rm;
	operand->shift = field(insn, 12, 1) ? size : 0;
	switch (field(insn, 13, 3)) {
	case OPTION_UXTW:
		operand->index_type = MARKER_TYPE_U32;
		return 0;
	case OPTION_SXTW:
		operand->index_type = MARKER_TYPE_S32;
		return 0;
	case OPTION_LSL:
	case OPTION_SXTX:
		return 0;
	default:
		return -EINVAL;
	}
}

static int decode_load(u32 insn, struct marker_operand *operand)
{
	unsigned int size = field(insn, 30, 2);

	operand->kind = OPERAND_MEMORY;
	operand->base = field(insn, 5, 5);
	operand->index = OPERAND_NONE;
	if ((insn & LOAD_MASK) == LOAD_SCALED)
		operand->value = (u64)field(insn, 10, 12) << size;
	else if ((insn & LOAD_NEAR_MASK) == LOAD_NEAR)
		operand->value = (s64)field(insn, 12, 9) - (field(insn, 20, 1) ? 512 : 0);
	else if ((insn & LOAD_NEAR_MASK) == LOAD_INDEX)
		return decode_index(insn, size, operand);
	else
		return -EINVAL;
	return 0;
}

int marker_operand_decode(const u8 *code, enum marker_type type, struct marker_operand *operand)
{
	const u8 *constant = code + 4 + (-(unsigned long)(code + 4) & 7);
	u32 insn = marker_insn_get(code);

	*operand = (struct marker_operand){ .type = type };
	if (!insn) {
		memcpy(&operand->value, constant, sizeof(operand->value));
		return constant + sizeof(operand->value) - code;
	}
	if ((insn & MOV_MASK) == MOV_X0) {
		operand->kind = OPERAND_REGISTER;
		operand->base = field(insn, 16, 5);
		if (operand->base == MOV_ZERO)
			operand->kind = OPERAND_CONSTANT;
		return 4;
	}
	return decode_load(insn, operand) ?: 4;
}

unsigned long notrace marker_operand_register(const struct pt_regs *regs, u8 number)
{
	return number == SP ? regs->sp : regs->regs[number];
}

NOKPROBE_SYMBOL(marker_operand_register);
