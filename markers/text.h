/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to running text: a writable alias of it, a barrier for all CPUs, and the hook of the
 * breakpoint that calls marker_patch_trap(). There is one implementation for each environment:
 * arch/<arch>/text.c in the kernel, markers/env/user/text.c in a program.
 */
#ifndef MARKERS_TEXT_H
#define MARKERS_TEXT_H

#include "env.h"

struct marker_patch;

/* Opaque but for its size: a writable view of the pages of some patches. */
struct marker_text_alias {
	void *map;
	unsigned long *pages;	/* page addresses of the text, ascending */
	unsigned int npages;
	unsigned int last;	/* the page written last */
};

/*
 * Map the text of @patches. 0, -ENOMEM, -EFAULT if there is no such text, -EOPNOTSUPP if the text
 * cannot be locked or written. May sleep.
 */
int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n);
void marker_text_unmap(struct marker_text_alias *alias);

/*
 * Lock text, between marker_text_map() and marker_text_unmap(): no other code patches text,
 * decodes it, or brings up a CPU, from the first read of the old bytes to the last sync.
 */
void marker_text_lock(void);
void marker_text_unlock(void);

/* Writes @len bytes; one alone, in a single store. */
void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes,
		       unsigned int len);

/*
 * Return when every CPU has executed a core-serialising instruction since the beginning of the
 * call, so that no CPU runs bytes fetched before. No CPU comes up meanwhile, because a starting
 * CPU runs code before it can be interrupted. Return the number of interrupted CPUs.
 *
 * Context: task, interrupts on, marker_text_lock().
 */
unsigned int marker_text_sync(void);

/* Logs that the bytes at a patch are not its old ones, and shows both. */
void marker_text_report(const struct marker_patch *patch);

/*
 * True if bytes must be written twice (emulators; see text.c), which makes
 * one more sync for each.
 */
extern bool marker_text_write_twice;

/**
 * marker_text_quiesce - waits until no task is between two instructions of a gate whose
 *	first byte is a breakpoint
 *
 * Text is unlocked in between, so breakpoints may stand only where no kprobe looks
 * (MARKER_EDGE() in env_site.h).
 *
 * Context: task, marker_text_lock().  Sleeps.
 */
void marker_text_quiesce(void);

int marker_trap_init(void);
void marker_trap_exit(void);

#endif
