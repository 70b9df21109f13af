/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connecting and disconnecting: which sites get or lose which probe.
 *
 * Transactions take turns, each until the probes that it took away have returned.
 * For that it waits without marker_mutex, so that modules come and go and files
 * are read meanwhile.
 */
#ifndef MARKERS_CONNECT_H
#define MARKERS_CONNECT_H

#include "connection.h"
#include "transaction.h"

/*
 * @conn, which is not listed yet, joins @t with all sites that it selects; after an error,
 * too, so that the abort frees it.  @arm: there need not be any site.  -EINVAL, -ENOENT,
 * -EEXIST, -ENOSPC, -EOPNOTSUPP, -ENOMEM as in command.h; the log says why.
 */
int marker_connect(struct marker_transaction *t, struct marker_connection *conn, bool arm);

/*
 * Disconnect the connections with the selector @select and the probe @name, or with any probe
 * if @name is NULL.  -ENOENT, which is logged: there are none; -ENOMEM.
 */
int marker_disconnect(struct marker_transaction *t, const char *select, const char *name);

/*
 * Read busy gates and calls again, and finish the changes that were left for them. May sleep.
 * Locks: takes those of a transaction, if anything is busy.
 */
void marker_connect_retry(void);

/*
 * Connect the sites of a module that comes, or forget a module that goes. None of its code runs.
 * Locks: marker_mutex.
 */
void marker_connect_table(struct marker_table *table);
void marker_disconnect_table(struct marker_table *table);

/* The debug sites of @mod that connections and `expose` want.  @mod NULL: the kernel. */
void marker_connect_debug(struct module *mod, bool quiet);

/*
 * Close the gates of connections whose limit is reached, and finish a transaction whose wait took
 * too long. May sleep.
 */
void marker_disconnect_spent(void);

/*
 * End the connections of @probe for which @ends returns true, given their data and @what. 0,
 * -EAGAIN: an earlier transaction waits, or the errors of marker_transaction_end().
 */
int marker_disconnect_if(struct marker_probe *probe,
			 bool (*ends)(const void *data, const void *what), const void *what);

/*
 * Disconnect a probe everywhere, and return when the probe does not run any more. 0, or the errors
 * of marker_dispatch_verify().
 */
int marker_disconnect_probe(struct marker_probe *probe);

#endif
