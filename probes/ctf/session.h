/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session, to those who set it up and read it: the memory of the rings, the
 * classes of their events, the clock.
 *
 * Not here: the text of debugfs files (files.c), reading (reader.c).
 *
 * Locks: marker_ctf_session_lock for everything.
 */
#ifndef PROBES_CTF_SESSION_H
#define PROBES_CTF_SESSION_H

#include <linux/siphash.h>
#include <linux/xarray.h>
#include "ctf.h"

enum marker_ctf_clock { SESSION_CLOCK_AUTO, SESSION_CLOCK_TSC, SESSION_CLOCK_MONO };

struct marker_ctf_config {
	unsigned long size;		/* bytes of a buffer, a power of two */
	bool overwrite;
	bool raw_addresses;		/* else hashed when they are read */
	enum marker_ctf_clock clock;
};

/* One moment, by three clocks. */
struct marker_ctf_time {
	u64 value;			/* of the clock of the events */
	u64 mono;			/* ns of the kernel's monotonic clock */
	u64 realtime;			/* ns since 1970 */
};

#define SESSION_SIZE_MIN	(4 * RING_PACKET)
#define SESSION_SIZE_MAX	SZ_1G

struct marker_ctf_session {
	struct marker_ctf_config config;
	struct marker_ctf_ring ring;
	bool open;			/* there is memory */
	struct list_head classes;
	struct xarray by_id;		/* the same */
	siphash_key_t address_key;	/* until the module is unloaded */
	unsigned int connections;
	bool owned;			/* the file "own" is open */
	bool reader;			/* ... "packets" or "snapshot" */
	struct marker_ctf_time opened;
	u64 clock_hz;
};

extern struct mutex marker_ctf_session_lock;
extern struct marker_ctf_session marker_ctf_session;

int marker_ctf_session_init(void);
void marker_ctf_session_exit(void);

/*
 * Takes effect when memory is next made.  -EBUSY while something is connected;
 * -EOPNOTSUPP if the clock cannot be had.
 */
int marker_ctf_session_configure(const struct marker_ctf_config *config);

/* Now, as near as five tries bring the clocks together. */
void marker_ctf_session_time(struct marker_ctf_time *time);

/* From now on events are lost, and counted; all that is stored can be read. */
void marker_ctf_session_stop(void);
void marker_ctf_session_start(void);

/* What was stored so far can be read. */
void marker_ctf_session_flush(void);

/* Gives the memory back, and forgets what was not read.  -EBUSY as above. */
int marker_ctf_session_close(void);

#endif
