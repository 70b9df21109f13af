/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session, to those who set it up and read it: the memory of the rings, the
 * classes of their events, the clock.
 *
 * Not here: the text of debugfs files (sink_files.c), reading (sink_reader.c).
 *
 * Locks: session_lock for everything.
 */
#ifndef PROBES_SINK_SESSION_H
#define PROBES_SINK_SESSION_H

#include <linux/siphash.h>
#include <linux/xarray.h>
#include "sink.h"

enum session_clock { SESSION_CLOCK_AUTO, SESSION_CLOCK_TSC, SESSION_CLOCK_MONO };

struct session_config {
	unsigned long size;		/* bytes of a buffer, a power of two */
	bool overwrite;
	bool raw_addresses;		/* else hashed when they are read */
	enum session_clock clock;
};

#define SESSION_SIZE_MIN	(4 * RING_PACKET)
#define SESSION_SIZE_MAX	SZ_1G

struct session {
	struct session_config config;
	struct ring ring;
	bool open;			/* there is memory */
	struct list_head classes;
	struct xarray by_id;		/* the same */
	siphash_key_t address_key;	/* until the module is unloaded */
	unsigned int connections;
	bool owned;			/* somebody has the file "own" open */
	bool reader;			/* ... "packets" or "snapshot" */
	/* One moment, by both clocks: that of the events, and ns since 1970. */
	u64 clock_value, clock_realtime;
	u64 clock_hz;
};

extern struct mutex session_lock;
extern struct session session;

int session_init(void);
void session_exit(void);

/*
 * Takes effect when memory is next made.  -EBUSY while something is connected;
 * -EOPNOTSUPP if the clock cannot be had.
 */
int session_configure(const struct session_config *config);

/* From now on events are lost, and counted; all that is stored can be read. */
void session_stop(void);
void session_start(void);

/* What was stored so far can be read. */
void session_flush(void);

/* Gives the memory back, and forgets what was not read.  -EBUSY as above. */
int session_close(void);

#endif
