/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions for text.c to patch the text of a program.  Each architecture implements them in a
 * folder with the name of its folder in markers/arch.
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
