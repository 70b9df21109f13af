/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A transaction stages the hooks of each site (site->next), the new connections,
 * and the connections that end.  Then it is carried out as a whole, or
 * dropped as a whole.
 *
 * Locks: a transaction that may take probes away holds transaction_mutex from
 * begin to end, and marker_mutex inside, but not while it waits for the probes.
 * A transaction that connects the sites of a new module needs only marker_mutex, because no
 * other code changes these sites.
 */
#ifndef MARKERS_TRANSACTION_H
#define MARKERS_TRANSACTION_H

#include "connection.h"
#include "dispatch.h"
#include "env.h"
#include "expose.h"

struct marker_transaction {
	struct list_head sites;		/* list of struct marker_site_state that change */
	struct list_head fresh;		/* list of new struct marker_connection */
	struct list_head leaving;	/* list of ending struct marker_connection */
	struct marker_expose_rule *rule;	/* to be set; NULL: none */
	struct marker_dispatch_stats stats;
	int ret;			/* -EBUSY: some connections are blocked */
};

/*
 * Take both locks and begin. NULL, without the locks: the previous transaction still waits after
 * another wait.
 */
struct marker_transaction *marker_transaction_begin(void);

/*
 * Carry the transaction out, or drop it if @ret is an error, and wait if necessary. Return @ret,
 * or the errors of marker_dispatch_verify(). -EBUSY: every site of a new connection has foreign
 * bytes, or a connection cannot end, and all other changes were made. -ETIMEDOUT: all changes were
 * made, but removed probes still run, and their data are freed later.
 */
int marker_transaction_end(int ret);

/* End a connection: it leaves its sites, and is freed when it has left all of them. */
void marker_transaction_disconnect(struct marker_transaction *t, struct marker_connection *conn);

/* Stage @rule, which the transaction owns then. */
void marker_transaction_expose(struct marker_transaction *t, struct marker_expose_rule *rule);

/* Return the number of connections that stay because foreign bytes may lead to their probes. */
unsigned int marker_transaction_blocked(void);

/* Wait until no transaction waits any more. 0, or -ETIMEDOUT. */
int marker_transaction_wait(void);

/* The steps of a transaction that does not wait, under marker_mutex. */
void marker_transaction_init(struct marker_transaction *t);
int marker_transaction_commit(struct marker_transaction *t, int ret);
void marker_transaction_finish(struct marker_transaction *t);

#endif
