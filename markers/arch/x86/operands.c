// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operands of sites without code. This decoder knows only the encodings of mov to %rax: Intel SDM
 * vol. 2, "MOV", and tables 2-2 and 2-3.
 */
#include <linux/ptrace.h>
#include "operand.h"

#define REX_W		0x48
#define REX_MASK	0xf8	/* 0100 1RXB */
#define REX_R		4
#define REX_X		2
#define REX_B		1

#define MOV_FROM_REG	0x89
#define MOV_TO_REG	0x8b
#define MOV_IMM32	0xc7
#define MOV_IMM64	0xb8

#define RM_SIB		4
#define RM_DISP32	5	/* with mod 0: relative to the next instruction */
#define BASE_NONE	5	/* no base in a SIB, with mod 0 */
#define INDEX_NONE	4

static const unsigned int offsets[16] = {
	offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
	offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
	offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
	offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
};

static s32 get_s32(const u8 *from)
{
	s32 value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static u64 get_u64(const u8 *from)
{
	u64 value;

	memcpy(&value, from, sizeof(value));
	return value;
}

/* A register number of three bits, and the bit of the prefix that extends it. */
static u8 extended(u8 number, u8 rex, u8 bit)
{
	return (number & 7) | (rex & bit ? 8 : 0);
}

/* Decode ModRM, SIB and displacement behind the opcode. Return their end. */
static const u8 *decode_memory(const u8 *at, u8 rex, struct marker_operand *operand)
{
	u8 modrm = *at++, mod = modrm >> 6, rm = modrm & 7, sib;

	operand->base = extended(rm, rex, REX_B);
	operand->index = OPERAND_NONE;
	if (rm == RM_SIB) {
		sib = *at++;
		rm = sib & 7;
		operand->base = extended(rm, rex, REX_B);
		operand->shift = sib >> 6;
		if (extended(sib >> 3, rex, REX_X) != INDEX_NONE)
			operand->index = extended(sib >> 3, rex, REX_X);
		if (!mod && rm == BASE_NONE) {
			operand->base = OPERAND_NONE;
			operand->value = get_s32(at);
			return at + 4;
		}
	} else if (!mod && rm == RM_DISP32) {
		operand->base = OPERAND_NONE;
		operand->value = (unsigned long)at + 4 + get_s32(at);
		return at + 4;
	}
	if (mod == 1)
		operand->value = *(const s8 *)at;
	else if (mod == 2)
		operand->value = get_s32(at);
	return at + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

int marker_operand_decode(const u8 *code, enum marker_type type, struct marker_operand *operand)
{
	u8 rex = code[0], opcode = code[1], modrm = code[2];

	*operand = (struct marker_operand){ .type = type };
	if ((rex & REX_MASK) != REX_W)
		return -EINVAL;
	if (opcode == MOV_IMM64) {
		operand->value = get_u64(code + 2);
		return 10;
	}
	if (opcode == MOV_IMM32 && modrm == 0xc0) {
		operand->value = get_s32(code + 3);
		return 7;
	}
	if (opcode == MOV_FROM_REG && (modrm & 0xc7) == 0xc0) {
		operand->kind = OPERAND_REGISTER;
		operand->base = extended(modrm >> 3, rex, REX_R);
		return 3;
	}
	if (opcode != MOV_TO_REG || modrm & 0x38 || rex & REX_R)
		return -EINVAL;
	if (modrm >> 6 == 3) {
		operand->kind = OPERAND_REGISTER;
		operand->base = extended(modrm, rex, REX_B);
		return 3;
	}
	operand->kind = OPERAND_MEMORY;
	return decode_memory(code + 2, rex, operand) - code;
}

unsigned long notrace marker_operand_register(const struct pt_regs *regs, u8 number)
{
	return *(const unsigned long *)((const u8 *)regs + offsets[number]);
}

NOKPROBE_SYMBOL(marker_operand_register);
