// SPDX-License-Identifier: GPL-2.0-only
/* Arguments of sites without code, from where their operands say that they are. */
#include "operand.h"

static unsigned long notrace widen(unsigned long value, u8 type)
{
	switch (type) {
	case MARKER_TYPE_S8:
		return (s8)value;
	case MARKER_TYPE_U8:
		return (u8)value;
	case MARKER_TYPE_S16:
		return (s16)value;
	case MARKER_TYPE_U16:
		return (u16)value;
	case MARKER_TYPE_S32:
		return (s32)value;
	case MARKER_TYPE_U32:
		return (u32)value;
	default:
		return value;
	}
}

NOKPROBE_SYMBOL(widen);

static unsigned long notrace get_register(const struct pt_regs *regs, u8 number)
{
	return number == OPERAND_NONE ? 0 : marker_operand_register(regs, number);
}

NOKPROBE_SYMBOL(get_register);

/* No more bytes than the argument has: the next may be on no page. */
static unsigned long notrace get_memory(unsigned long at, u8 type)
{
	switch (type) {
	case MARKER_TYPE_S8:
	case MARKER_TYPE_U8:
		return READ_ONCE(*(const u8 *)at);
	case MARKER_TYPE_S16:
	case MARKER_TYPE_U16:
		return READ_ONCE(*(const u16 *)at);
	case MARKER_TYPE_S32:
	case MARKER_TYPE_U32:
		return READ_ONCE(*(const u32 *)at);
	default:
		return READ_ONCE(*(const u64 *)at);
	}
}

NOKPROBE_SYMBOL(get_memory);

static unsigned long notrace get_address(const struct marker_operand *operand,
					 const struct pt_regs *regs)
{
	unsigned long index = widen(get_register(regs, operand->index), operand->index_type);

	return operand->value + get_register(regs, operand->base) + (index << operand->shift);
}

NOKPROBE_SYMBOL(get_address);

unsigned long notrace marker_operand_value(const struct marker_operand *operand,
					   const struct pt_regs *regs)
{
	unsigned long value = operand->value;

	if (operand->kind == OPERAND_REGISTER)
		value = get_register(regs, operand->base);
	else if (operand->kind == OPERAND_MEMORY)
		value = get_memory(get_address(operand, regs), operand->type);
	return widen(value, operand->type);
}

NOKPROBE_SYMBOL(marker_operand_value);
