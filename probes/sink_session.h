/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session, to those who set it up and read it: its memory is a channel of
 * the kernel's relay, whose sub-buffers are the packets of the ring and whose
 * files in debugfs are read packet by packet.  Only the room in it is not given
 * by relay_reserve(), which an interrupt or an NMI may not call while its CPU is
 * in it (sink_ring.h).
 *
 * Not here: the text of debugfs files (sink_files.c).
 *
 * Locks: session_lock for everything.
 */
#ifndef PROBES_SINK_SESSION_H
#define PROBES_SINK_SESSION_H

#include "sink.h"

struct dentry;
struct rchan;

enum session_clock { SESSION_CLOCK_AUTO, SESSION_CLOCK_TSC, SESSION_CLOCK_MONO };

struct session_config {
	unsigned long size;		/* bytes of a buffer, a power of two */
	bool overwrite;
	enum session_clock clock;
};

#define SESSION_SIZE_MIN	(4 * RING_PACKET)
#define SESSION_SIZE_MAX	SZ_1G

struct session {
	struct session_config config;
	struct ring ring;
	struct rchan *channel;		/* NULL: closed */
	struct list_head classes;
	unsigned int connections;
	bool owned;			/* by who has the file "own" open */
	/* One moment, by both clocks: that of the events, and ns since 1970. */
	u64 clock_value, clock_realtime;
	u64 clock_hz;			/* 0: not known */
};

extern struct mutex session_lock;
extern struct session session;

int session_init(struct dentry *dir);		/* where relay's files go; -ENOMEM */
void session_exit(void);

/* Takes effect when memory is next made.  -EBUSY while something is connected. */
int session_configure(const struct session_config *config);

/* From now on events are lost, and counted; all that is stored can be read. */
void session_stop(void);
void session_start(void);

/* What was stored so far can be read. */
void session_flush(void);

/* Gives the memory back, and forgets what was not read.  -EBUSY as above. */
int session_close(void);

#endif
