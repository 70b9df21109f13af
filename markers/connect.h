/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connecting and disconnecting: which sites get or lose which probe.
 *
 * Only one transaction runs at a time. It ends when the probes that it has disconnected have
 * returned. It waits for them without marker_mutex, so that modules can be loaded and files be
 * read meanwhile.
 */
#ifndef MARKERS_CONNECT_H
#define MARKERS_CONNECT_H

#include "connection.h"
#include "transaction.h"

/*
 * Add the new connection @conn, with all sites that it selects, to the transaction @t.  After an
 * error the abort of @t frees @conn.  With @arm it may select no site.  Return 0, or an error that
 * command.h lists, and log the reason.
 */
int marker_connect(struct marker_transaction *t, struct marker_connection *conn, bool arm);

/*
 * Disconnect the connections with the selector @select and the probe @name, or with any probe
 * if @name is NULL.  Return 0, -ENOENT if there is no such connection (logged), or -ENOMEM.
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

/*
 * Connect the debug sites of @mod, or of the kernel if @mod is NULL, that connections and
 * `expose` select.
 */
void marker_connect_debug(struct module *mod, bool quiet);

/*
 * Close the gates of connections whose limit is reached, and finish a transaction whose wait took
 * too long. May sleep.
 */
void marker_disconnect_spent(void);

/*
 * End the connections of @probe for which @ends returns true; @ends gets their data and @what.
 * Return 0, -EAGAIN if an earlier transaction has not ended, or an error of
 * marker_transaction_end().
 */
int marker_disconnect_if(struct marker_probe *probe,
			 bool (*ends)(const void *data, const void *what), const void *what);

/*
 * Disconnect a probe from all sites, and wait until the probe does not run any more.  Return 0, or
 * an error of marker_dispatch_verify().
 */
int marker_disconnect_probe(struct marker_probe *probe);

#endif
