/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What text.c needs of the architecture, to patch the text of a program: a folder of the
 * same name as that in markers/arch has it.
 */
#ifndef NATIVE_TEXT_ARCH_H
#define NATIVE_TEXT_ARCH_H

#include "env.h"

/*
 * Stores an instruction, or a part of one, through the writable mapping at @to; @addr is
 * where it is executed.
 */
void text_arch_store(u8 *to, u8 *addr, const u8 *bytes, unsigned int len);

/* Returns when no thread can be reading the transaction that was taken back. */
void text_arch_wait(void);

/* Once the text is mapped twice.  0, or a negative errno. */
int text_arch_init(void);
void text_arch_exit(void);

#endif
