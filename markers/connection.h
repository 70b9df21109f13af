/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connections: which probes observe which sites.
 *
 * Transactions take turns, each until the probes that it took away have returned.
 * For that it waits without markers_mutex, so that modules come and go and files
 * are read meanwhile.
 *
 * A connection is a selector, a probe and the probe's data.  It lasts until
 * it is disconnected, whatever modules come and go: a site that appears later
 * is connected when its selector matches.
 *
 * Selectors:	NAME		marker name, or a glob of names
 *		module:GLOB	every site of a module
 *		FILE:LINE	the sites of a source line; FILE may be a tail
 *		site:ID		one site, by its number in debugfs `sites`
 *
 * Commands:	connect SELECTOR PROBE [ARGS]
 *		arm SELECTOR PROBE [ARGS]	as connect; no match is "pending"
 *		disconnect SELECTOR [PROBE]	SELECTOR as it was connected, or
 *						a glob over the connected ones,
						or id:N, one of `results`
 *
 * ARGS are [preempt-off] [first=N] [WORDS] [if CONDITION].  WORDS go to the
 * probe.  "preempt-off": it is called with preemption disabled, as in 2006.
 * CONDITION (filter.h): for events that match.  "first=N": for N events, then
 * the gates close; what the probe has found stays until it is disconnected.
 */
#ifndef MARKERS_CONNECTION_H
#define MARKERS_CONNECTION_H

#include "dispatch.h"
#include "env.h"
#include "guard.h"
#include "selector.h"

struct probe;

struct connection {
	struct list_head list;		/* of connections, in order of connecting */
	struct list_head leaving;	/* of the transaction that takes it from its sites */
	struct hlist_node by_selector, by_terms, by_id;	/* connections.c */
	struct selector selector;
	struct probe *probe;		/* its module is pinned */
	unsigned int id;		/* from 1, not used again */
	char *words;			/* backs selector, args and filter */
	const char *args;		/* what the probe got, or NULL */
	void *data;			/* what its attach() returned */
	struct guard guard;		/* between hooks and probe, if needed */
	bool preempt_off;
	struct list_head hooks;		/* of struct binding */
	bool done;			/* its limit was reached, its gates are closed */
	bool dying;			/* disconnected, its probe may still run */
	bool blocked;			/* disconnected, but a busy gate leads to it */
	bool wants_site;		/* one at least, in the transaction under way */
};

/*
 * What some of its sites call: all of them the same, unless the probe has a
 * bind().  Stays until the connection goes.
 */
struct binding {
	struct hook hook;
	struct guarded guarded;		/* the probe */
	struct connection *conn;
	struct list_head list;		/* of conn->hooks */
};

static inline struct connection *connection_of(const struct hook *hook)
{
	return container_of(hook, struct binding, hook)->conn;
}

/* Sites that it has at the moment. */
unsigned int connection_nsites(const struct connection *conn);

/* Those that are made, dying ones too.  Locks: markers_mutex. */
extern struct list_head connections;

/*
 * Carries out @commands, one a line or separated by ';' ('#' begins a
 * comment), as one transaction: all of it or, on an error, nothing.
 *
 * 0, or: -EAGAIN	nothing was done: probes of an earlier transaction still run
 *	  -ETIMEDOUT	all was done, but probes still run that were disconnected;
 *			they and their connections go when they have returned
 *	  -EINVAL	unknown command, missing or surplus word, format mismatch
 *	  -ENOENT	no such marker, probe or connection
 *	  -EEXIST	a site would get the same probe with the same words twice
 *	  -ENOSPC	a site would get more than HOOKS_MAX probes
 *	  -EBUSY	the bytes of no site of a connection are ours; or a
 *			connection stays, since foreign bytes may lead to it,
 *			and the rest has been carried out
 *	  -EOPNOTSUPP	the gate of a site cannot be patched here
 *	  -ENOMEM
 * The log says which command, and why.  May sleep; when something is
 * disconnected, waits for the probes that run, without markers_mutex.
 */
int connection_execute(const char *commands);

/*
 * Looks at what is busy again, and finishes what was left for it.  May sleep.
 * Locks: takes those of a transaction, if anything is busy.
 */
void marker_connection_retry(void);

/* A module has come, or goes: none of its code runs any more.  Locks: markers_mutex. */
void connection_add_sites(struct marker_table *table);
void connection_del_sites(struct marker_table *table);

/*
 * Closes the gates of connections whose limit is reached, and finishes what a
 * transaction has left whose wait took too long.  May sleep.
 */
void connection_expire(void);

/*
 * Disconnects a probe everywhere, and returns when it does not run any more.  0, or
 * what dispatch_commit() says.
 */
int connection_del_probe(struct probe *probe);

#endif
