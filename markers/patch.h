/* SPDX-License-Identifier: GPL-2.0-only */
/* Transactions that change instructions while they may be running. */
#ifndef MARKERS_PATCH_H
#define MARKERS_PATCH_H

#include "env.h"
#include "gate.h"

/* One instruction to change. */
struct patch {
	u8 *addr;
	u8 *to;			/* where a CPU that meets the int3 goes on */
	u8 len;
	bool call;		/* ... having pushed the return address */
	bool quiet;		/* nobody can be executing it: plain store */
	bool split;		/* old: several instructions, one may be inside */
	u8 old[GATE_CODE_MAX];
	u8 new[GATE_CODE_MAX];
};

/* What a transaction cost. */
struct patch_stats {
	unsigned int patches;	/* instructions changed */
	unsigned int rounds;	/* times that all CPUs were synchronised */
	unsigned int settles;	/* more rounds, only for emulators */
	unsigned int cpus;	/* interrupted in one round */
	unsigned long traps;	/* CPUs that met an int3 of ours */
	u64 ns;
};

/*
 * Changes all @n instructions, or none: -EBUSY when the bytes at one are not
 * the old ones (which is logged), or what text_map() returns.  @patches gets
 * sorted.  @stats may be NULL.  May sleep.
 */
int patch_apply(struct patch *patches, unsigned int n, struct patch_stats *stats);

/* After the last transaction, and after text_exit(). */
void patch_exit(void);

/* What to do about a breakpoint. */
enum patch_verdict {
	PATCH_NOT_OURS,
	PATCH_RETRY,		/* the int3 is gone: execute the address again */
	PATCH_JUMP,		/* go on at @to */
	PATCH_CALL,		/* push the return address, go on at @to */
};

/* Context: the breakpoint handler, interrupts off; may be an NMI. */
enum patch_verdict patch_trap(u8 *addr, u8 **to);

#endif
