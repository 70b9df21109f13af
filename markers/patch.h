/* SPDX-License-Identifier: GPL-2.0-only */
/* Transactions that change instructions while they may be running. */
#ifndef MARKERS_PATCH_H
#define MARKERS_PATCH_H

#include "env.h"
#include "gate.h"

struct call;

/* What was found at a patch. */
enum patch_found {
	PATCH_OLD,		/* as expected: it is written */
	PATCH_NEW,		/* as wanted: there is nothing to write */
	PATCH_FOREIGN,		/* neither: it is left alone */
	PATCH_REFUSED,		/* a vital one of its group is foreign */
};

/* Patches that belong together, those of a site: what was found of them. */
struct patch_group {
	unsigned int done;	/* that are not vital, and can be written */
	unsigned int foreign;	/* that are not vital, and cannot */
	bool refused;		/* a vital one is foreign: none of them is written */
};

/* One instruction to change. */
struct patch {
	u8 *addr;
	u8 *to;			/* where a CPU that meets the int3 goes on */
	u8 len;
	bool call;		/* ... having pushed the return address */
	bool quiet;		/* nobody can be executing it: plain store */
	bool split;		/* old: several instructions, one may be inside */
	bool vital;		/* without it, none of its group */
	bool known;		/* to be foreign: not logged again */
	u8 found;		/* enum patch_found; PATCH_OLD, then what it says */
	u8 old[GATE_CODE_MAX];
	u8 new[GATE_CODE_MAX];
	struct patch_group *group;	/* or NULL */
	/* For who made it: of what it is the code, and what that becomes. */
	struct gate *gate;
	struct call *insn;
	u8 kind;
	bool open;
};

/* Whether the new bytes stand there after patch_apply(). */
static inline bool patch_is_done(const struct patch *p)
{
	return p->found == PATCH_OLD || p->found == PATCH_NEW;
}

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
 * Asked when all bytes are verified and none is written.  Context: marker_text_lock().
 */
struct patch_agreement {
	int (*agree)(struct patch_agreement *agreement);
	int ret;		/* what it said: 0, or what ends the transaction */
};

/*
 * Changes those of @n instructions that have their old bytes.  0; -EBUSY: some had
 * not, which is logged, and the others are changed; or, and then nothing is changed,
 * what text_map() or @agreement says.  @patches gets sorted.  @agreement and @stats
 * may be NULL.  May sleep.
 */
int marker_patch_apply_if(struct patch *patches, unsigned int n, struct patch_stats *stats,
			  struct patch_agreement *agreement);
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
