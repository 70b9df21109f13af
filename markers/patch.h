/* SPDX-License-Identifier: GPL-2.0-only */
/* Transactions that change instructions while they may be running. */
#ifndef MARKERS_PATCH_H
#define MARKERS_PATCH_H

#include "env.h"
#include "gate.h"

struct marker_call_state;

/* What was found at a patch. */
enum marker_patch_found {
	PATCH_OLD,		/* as expected: it is written */
	PATCH_NEW,		/* as wanted: there is nothing to write */
	PATCH_FOREIGN,		/* neither: it is left alone */
	PATCH_REFUSED,		/* a vital one of its group is foreign */
};

/* Patches that belong together, those of a site: what was found of them. */
struct marker_patch_group {
	unsigned int done;	/* that are not vital, and can be written */
	unsigned int foreign;	/* that are not vital, and cannot */
	bool refused;		/* a vital one is foreign: none of them is written */
};

/* One instruction to change. */
struct marker_patch {
	u8 *addr;
	u8 *to;			/* where a CPU that meets the int3 continues */
	u8 len;
	bool call;		/* ... having pushed the return address */
	bool quiet;		/* no CPU can be executing it: plain store */
	bool split;		/* old: several instructions, one may be inside */
	bool vital;		/* without it, none of its group */
	bool known;		/* to be foreign: not logged again */
	u8 found;		/* enum marker_patch_found; PATCH_OLD, then what it says */
	u8 old[MARKER_GATE_CODE_MAX];
	u8 new[MARKER_GATE_CODE_MAX];
	struct marker_patch_group *group;	/* or NULL */
	/* For the caller: the gate or call that this is the code of, and its new kind. */
	struct marker_gate_state *gate;
	struct marker_call_state *insn;
	u8 kind;
	bool open;
};

/* Whether the new bytes stand there after marker_patch_apply(). */
static inline bool marker_patch_is_done(const struct marker_patch *p)
{
	return p->found == PATCH_OLD || p->found == PATCH_NEW;
}

/* What a transaction cost. */
struct marker_patch_stats {
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
struct marker_patch_agreement {
	int (*agree)(struct marker_patch_agreement *agreement);
	int ret;		/* what it said: 0, or what ends the transaction */
};

/*
 * Changes those of @n instructions that have their old bytes.  0; -EBUSY: some had
 * not, which is logged, and the others are changed; or, and then nothing is changed,
 * what marker_text_map() or @agreement says.  @patches gets sorted.  @agreement and @stats
 * may be NULL.  May sleep.
 */
int marker_patch_apply_if(struct marker_patch *patches, unsigned int n,
			  struct marker_patch_stats *stats,
			  struct marker_patch_agreement *agreement);
int marker_patch_apply(struct marker_patch *patches, unsigned int n,
		       struct marker_patch_stats *stats);

/* After the last transaction, and after marker_trap_exit(). */
void marker_patch_exit(void);

#endif
