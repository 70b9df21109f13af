/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A transaction stages what each site shall have (site->next), which connections
 * are new and which leave their sites.  Then it is carried out as a whole, or
 * dropped as a whole.
 *
 * Locks: a transaction that may take probes away holds transaction_mutex from
 * begin to end, and marker_mutex inside, but not while it waits for the probes.
 * One that connects the sites of a new module needs only marker_mutex: no one
 * else changes these sites, and it never waits.
 */
#ifndef MARKERS_TRANSACTION_H
#define MARKERS_TRANSACTION_H

#include "connection.h"
#include "dispatch.h"
#include "env.h"
#include "expose.h"

struct marker_transaction {
	struct list_head sites;		/* of struct marker_site_state, that change */
	struct list_head fresh;		/* of struct marker_connection */
	struct list_head leaving;	/* of struct marker_connection, those dying too */
	struct marker_expose_rule *rule;	/* to be set; NULL: none */
	struct marker_dispatch_stats stats;
	int ret;			/* -EBUSY: some connections are blocked */
};

/*
 * Takes both locks.  NULL, without them: the one before still waits, having waited
 * once more.
 */
struct marker_transaction *marker_transaction_begin(void);

/*
 * Carries it out, or drops it if @ret is an error, and waits if need be.  @ret, or
 * the errors of marker_dispatch_verify(); -EBUSY: the bytes of no site of a new connection
 * are ours, or one that was to go stays, and the rest is carried out; -ETIMEDOUT:
 * it is carried out, but probes still run that were taken away, and nothing of
 * theirs is freed before they return.
 */
int marker_transaction_end(int ret);

/* The connection leaves its sites, and is freed when it has left. */
void marker_transaction_disconnect(struct marker_transaction *t, struct marker_connection *conn);

/* Sets @rule, which it takes over, if it is carried out. */
void marker_transaction_expose(struct marker_transaction *t, struct marker_expose_rule *rule);

/* How many connections stay since foreign bytes may lead to their probes. */
unsigned int marker_transaction_blocked(void);

/* 0 when no transaction waits any more; -ETIMEDOUT. */
int marker_transaction_wait(void);

/* The steps of one that does not wait, under marker_mutex. */
void marker_transaction_init(struct marker_transaction *t);
int marker_transaction_commit(struct marker_transaction *t, int ret);
void marker_transaction_finish(struct marker_transaction *t);

#endif
