/* SPDX-License-Identifier: GPL-2.0-only */
/* Transactions that change instructions while they may be running. */
#ifndef MARKERS_PATCH_H
#define MARKERS_PATCH_H

#include "env.h"
#include "gate.h"

struct marker_call_state;

/* Result of comparing the bytes at a patch with the expected ones. */
enum marker_patch_found {
	PATCH_OLD,		/* the old bytes: the patch is written */
	PATCH_NEW,		/* the new bytes: there is nothing to write */
	PATCH_FOREIGN,		/* neither: it is left alone */
	PATCH_REFUSED,		/* a vital one of its group is foreign */
};

/* Patches that belong together, such as those of a site, and their result. */
struct marker_patch_group {
	unsigned int done;	/* patches that are not vital, and can be written */
	unsigned int foreign;	/* patches that are not vital, and cannot */
	bool refused;		/* a vital patch is foreign: nothing of the group is written */
};

/* One instruction to change. */
struct marker_patch {
	u8 *addr;
	u8 *to;			/* where a CPU that meets the int3 continues */
	u8 len;
	bool call;		/* ... having pushed the return address */
	bool quiet;		/* no CPU can be executing it: plain store */
	bool split;		/* old: several instructions, one may be inside */
	bool vital;		/* if this patch is refused, so is its whole group */
	bool known;		/* to be foreign: not logged again */
	u8 found;		/* enum marker_patch_found; PATCH_OLD before marker_patch_begin() */
	u8 old[MARKER_GATE_CODE_MAX];
	u8 new[MARKER_GATE_CODE_MAX];
	struct marker_patch_group *group;	/* or NULL */
	/* Members of the caller: the gate or call with this code, and its new kind. */
	struct marker_gate_state *gate;
	struct marker_call_state *insn;
	u8 kind;
	bool open;
};

/* True if marker_patch_commit() has written the new bytes, or found them. */
static inline bool marker_patch_is_done(const struct marker_patch *p)
{
	return p->found == PATCH_OLD || p->found == PATCH_NEW;
}

/* Cost of a transaction. */
struct marker_patch_stats {
	unsigned int patches;	/* instructions changed */
	unsigned int rounds;	/* times that all CPUs were synchronised */
	unsigned int settles;	/* more rounds, only for emulators */
	unsigned int cpus;	/* interrupted in one round */
	unsigned long traps;	/* CPUs that met an int3 of ours */
	u64 ns;
};

/*
 * A transaction has three steps, which its caller sees: marker_patch_begin() verifies, the
 * caller decides, and marker_patch_commit() applies or marker_patch_cancel() leaves
 * everything as it is.  Between begin and end, text is locked (marker_text_lock()).
 */

/**
 * marker_patch_begin - lock text and verify the old bytes of all instructions
 * @patches: the instructions; they get sorted
 * @n: number of instructions; 0: nothing is locked
 *
 * On return, @found of each patch and the groups have the result.  After an error,
 * nothing is locked and every patch is PATCH_REFUSED.
 *
 * Context: May sleep; one transaction at a time.
 * Return: 0; the errors of the writer (writer.h), such as those of marker_text_map().
 */
int marker_patch_begin(struct marker_patch *patches, unsigned int n);

/**
 * marker_patch_commit - change the instructions that have their old bytes, and unlock text
 * @patches: the instructions given to marker_patch_begin()
 * @n: number of instructions
 * @stats: cost of the transaction; may be NULL
 *
 * Context: May sleep; after marker_patch_begin().
 * Return: 0; -EBUSY: some instructions had unexpected bytes, which the log says, and the
 *	   others are changed.
 */
int marker_patch_commit(struct marker_patch *patches, unsigned int n,
			struct marker_patch_stats *stats);

/**
 * marker_patch_cancel - change nothing, and unlock text
 * @patches: the instructions given to marker_patch_begin()
 * @n: number of instructions
 *
 * Context: May sleep; after marker_patch_begin().
 */
void marker_patch_cancel(struct marker_patch *patches, unsigned int n);

/**
 * marker_patch_apply - begin and commit, for callers with nothing to decide
 * @patches: the instructions; they get sorted
 * @n: number of instructions
 * @stats: cost of the transaction; may be NULL
 *
 * Context: May sleep.
 * Return: as marker_patch_begin() and marker_patch_commit().
 */
int marker_patch_apply(struct marker_patch *patches, unsigned int n,
		       struct marker_patch_stats *stats);

/* After the last transaction, and after marker_trap_exit(). */
void marker_patch_exit(void);

#endif
