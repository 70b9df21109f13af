/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The context of an event: the task that causes it, and its place. Conditions use items as $NAME,
 * and a probe can store them. Task and process are those of the initial PID namespace, as in the
 * kernel's own trace events.
 */
#ifndef MARKERS_CONTEXT_H
#define MARKERS_CONTEXT_H

#include "marker_abi.h"

/**
 * enum marker_context - facts about an event besides its arguments
 * @MARKER_CONTEXT_TID: thread, as gettid() says
 * @MARKER_CONTEXT_PID: process, as getpid() says
 * @MARKER_CONTEXT_COMM: name of the thread; a text
 * @MARKER_CONTEXT_PRIO: priority in the kernel: 120 is that of nice 0, below 100 real time
 * @MARKER_CONTEXT_CPU: number
 * @MARKER_CONTEXT_IRQ: 0 task, 1 softirq, 2 hard interrupt, 3 NMI
 * @MARKER_CONTEXT_PREEMPT: how often preemption is disabled; 0: it is not
 * @MARKER_CONTEXT_CGROUP: id in cgroup v2, which is the inode of its directory
 * @MARKER_CONTEXTS: number of items
 *
 * In an interrupt the thread is the one that was interrupted.
 */
enum marker_context {
	MARKER_CONTEXT_TID,
	MARKER_CONTEXT_PID,
	MARKER_CONTEXT_COMM,
	MARKER_CONTEXT_PRIO,
	MARKER_CONTEXT_CPU,
	MARKER_CONTEXT_IRQ,
	MARKER_CONTEXT_PREEMPT,
	MARKER_CONTEXT_CGROUP,
	MARKER_CONTEXTS
};

/* Bytes of the text of MARKER_CONTEXT_COMM, with its NUL. */
#define MARKER_COMM_MAX 16

/* The names of all items, for error messages. */
#define MARKER_CONTEXT_NAMES "tid pid comm prio cpu irq preempt cgroup"

/**
 * struct marker_context_kind - name and type of an item of the context
 * @name: as in MARKER_CONTEXT_NAMES
 * @type: MARKER_TYPE_STR for a text, else that of the number
 */
struct marker_context_kind {
	const char *name;
	enum marker_type type;
};

/* The items of the context, by enum marker_context. */
extern const struct marker_context_kind marker_context_kinds[MARKER_CONTEXTS];

/**
 * marker_context_find - finds an item by its name
 * @name: address of the first character of the name
 * @len: characters of the name
 *
 * Context: any.
 * Return: enum marker_context, or -ENOENT.
 */
int marker_context_find(const char *name, size_t len);

/**
 * marker_context_read - reads an item, of this moment
 * @which: the item
 *
 * Context: any, NMI included.
 * Return: the number, widened as its type says; of a text its address, which is good
 * as long as the thread runs, and MARKER_COMM_MAX bytes, of which the last is 0.
 */
unsigned long marker_context_read(enum marker_context which);

#endif
