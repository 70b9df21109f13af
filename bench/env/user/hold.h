/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program cannot disable preemption.  This executes the instructions that a kernel
 * does: an increment, and a decrement with a branch on its result.
 */
#ifndef NATIVE_HOLD_H
#define NATIVE_HOLD_H

#include "env_site.h"

/* 1, or 2 while held. */
extern int hold_count;

/* Place where a kernel would let other tasks run; never reached here. */
void hold_missed(void);

#define hold_begin()							\
do {									\
	hold_count++;							\
	barrier();							\
} while (0)

#define hold_end()							\
do {									\
	barrier();							\
	if (unlikely(!--hold_count))					\
		hold_missed();						\
} while (0)

#endif
