/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session, for the files that set it up and read it: the memory of its rings, the classes of
 * their events, the clock, the snapshot.  The list of sessions: sessions.h.
 *
 * In a session that overwrites, each CPU has two buffers.  Taking a snapshot makes events
 * go to the second ones; the events in the first ones are the snapshot, which can be read at
 * any time.  When it has been read completely, the next snapshot can be taken.
 *
 * Not here: the text of debugfs files (files.c), reading (reader.c).
 *
 * Locks: marker_ctf_session_lock for everything, but taking a snapshot.
 */
#ifndef PROBES_CTF_SESSION_H
#define PROBES_CTF_SESSION_H

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/siphash.h>
#include <linux/xarray.h>
#include "class.h"
#include "clock.h"
#include "ctf.h"
#include "dump.h"
#include "marker_abi.h"

struct marker_ctf_config {
	unsigned long size;		/* bytes of a buffer, a power of two */
	bool overwrite;
	bool raw_addresses;		/* else hashed when they are read */
	enum marker_ctf_clock clock;
};

#define SESSION_SIZE_MIN	(4 * RING_PACKET)
#define SESSION_SIZE_MAX	SZ_1G

#define SESSION_BUFFERS		2

/* State of a CPU. */
struct marker_ctf_cpu {
	struct marker_ctf_buffer buffers[SESSION_BUFFERS];
	struct marker_ctf_counts counts;
};

struct marker_ctf_session {
	struct list_head list;		/* node of the list of all sessions */
	char name[SESSION_NAME_MAX];
	struct dentry *directory;
	bool removed;
	struct marker_ctf_config config;
	struct marker_ctf_ring ring;
	struct marker_ctf_cpu __percpu *cpus;
	bool open;			/* buffers are allocated */
	struct marker_ctf_classes classes;
	struct xarray by_id;		/* the same */
	struct marker_ctf_dump dump;	/* description in a memory dump */
	unsigned int connections;
	pid_t owner;			/* process that has the file "own" open, or 0 */
	char owner_comm[TASK_COMM_LEN];
	bool reader;			/* a program has the file "packets" or "snapshot" open */
	struct marker_ctf_time opened;
	u64 clock_hz;

	/* Without a lock. */
	atomic_t snapshot;		/* 1: a snapshot exists and is not read to its end */
	atomic_t missed;		/* snapshots not taken, because one existed */
	char reason[MARKER_NAME_SIZE];	/* reason of the snapshot, such as a marker */
	u64 taken;			/* time of the snapshot */
};

extern struct mutex marker_ctf_session_lock;

/* CPUs that get buffers: all that have been online. */
extern struct cpumask marker_ctf_session_cpus;

/* Key with which addresses are hashed; a new one each time when the module is loaded. */
extern siphash_key_t marker_ctf_session_key;

/* Allocate a closed session, without buffers; NULL if there is no memory. */
struct marker_ctf_session *marker_ctf_session_alloc(const char *name);

/* Free a session that is closed, and on no list. */
void marker_ctf_session_free(struct marker_ctf_session *session);

/*
 * Takes effect when memory is next made.  -EBUSY while something is connected;
 * -EOPNOTSUPP if the clock cannot be had.
 */
int marker_ctf_session_configure(struct marker_ctf_session *session,
				 const struct marker_ctf_config *config);

/* -ENOMEM, -EOPNOTSUPP as ctf.h has them. */
int marker_ctf_session_open(struct marker_ctf_session *session);

/* Buffers for a CPU that comes up, if the session is open. */
void marker_ctf_session_add_cpu(struct marker_ctf_session *session, unsigned int cpu);

/* Bytes of all buffers of the session. */
u64 marker_ctf_session_bytes(const struct marker_ctf_session *session);

/* Lose and count events from now on; all stored events can be read. */
void marker_ctf_session_stop(struct marker_ctf_session *session);
void marker_ctf_session_start(struct marker_ctf_session *session);

/* Make all stored events readable. */
void marker_ctf_session_flush(struct marker_ctf_session *session);

/* Free the buffers and all unread events.  -EBUSY as above. */
int marker_ctf_session_close(struct marker_ctf_session *session);

/* Close a session that has no connections, no owner, no reader and no event. */
void marker_ctf_session_close_unused(struct marker_ctf_session *session);

/*
 * Take a snapshot: events go to the other buffers, and the previous buffers are the snapshot.
 * False: a snapshot has not been read yet, or the session does not overwrite. @reason: is shown
 * with the snapshot. Context: any, without a lock.
 */
bool notrace marker_ctf_session_swap(struct marker_ctf_session *session, const char *reason);

/* Return the buffer of a CPU that the snapshot is in. */
struct marker_ctf_buffer *marker_ctf_session_spare(struct marker_ctf_session *session, int cpu);

/* Return the buffer of a CPU that events go to. */
struct marker_ctf_buffer *marker_ctf_session_active(struct marker_ctf_session *session, int cpu);

/* Wait until no event is being stored in the snapshot; then the snapshot can be read completely. */
void marker_ctf_session_settle(struct marker_ctf_session *session);

/* Call marker_ctf_ring_seal() for all buffers. Context: any, under rcu_read_lock(). */
void marker_ctf_session_seal(struct marker_ctf_session *session, bool ended);

#endif
