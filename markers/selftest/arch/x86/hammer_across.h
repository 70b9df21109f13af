/* SPDX-License-Identifier: GPL-2.0-only */
/* Gates that lie across the end of a cache line or of a page, for the hammer. */
#ifndef MARKERS_SELFTEST_HAMMER_ACROSS_H
#define MARKERS_SELFTEST_HAMMER_ACROSS_H

/* X(name, KIND, where, size): @size is the size in bytes of the boundary that the gate crosses. */
#define HAMMERS_ACROSS(X)						\
	X(nop5, NOP5, line, 64) X(flip, FLIP, line, 64) X(pun, PUN, line, 64) \
	X(nop5, NOP5, page, 4096) X(flip, FLIP, page, 4096) X(pun, PUN, page, 4096)

/*
 * The gate begins 3 bytes before that end, or less if the compiler puts an instruction
 * in front.
 */
#define HAMMER_PLACE(size)						\
	asm volatile("jmp 1f\n\t.balign " #size ", 0xcc\n\t"		\
		     ".skip " #size " - 3, 0xcc\n1:")

#endif
