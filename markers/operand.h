/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places of a kprobe gate's arguments, as its entry describes them
 * (arch/<arch>/site_operands.h), and their values when a CPU reaches the site.
 */
#ifndef MARKERS_OPERAND_H
#define MARKERS_OPERAND_H

#include "env.h"
#include "marker_abi.h"

struct pt_regs;

enum operand_kind { OPERAND_CONSTANT, OPERAND_REGISTER, OPERAND_MEMORY };

#define OPERAND_NONE	0xff	/* an operand without this register */

struct marker_operand {
	u8 kind;
	u8 type;		/* enum marker_type */
	u8 base, index;		/* register numbers, or OPERAND_NONE */
	u8 index_type;		/* type from which the index is widened */
	u8 shift;		/* shift of the index */
	u64 value;		/* constant, or displacement */
};

/*
 * Read the description at @code. Return its length, or -EINVAL if the assembler makes no such
 * description of a site. Implemented by each architecture, as is the next function.
 */
int marker_operand_decode(const u8 *code, enum marker_type type, struct marker_operand *operand);

/* Return the value of a register by its number from marker_operand_decode().  Context: any. */
unsigned long marker_operand_register(const struct pt_regs *regs, u8 number);

/*
 * The argument, widened to a word as its type says.  Reads memory where the
 * compiler says it is, so at the site only.  Context: any.
 */
unsigned long marker_operand_value(const struct marker_operand *operand,
				   const struct pt_regs *regs);

#endif
