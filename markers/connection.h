/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection is a selector, a probe and the probe's data.  It lasts until
 * it is disconnected, whatever modules come and go: a site that appears later
 * is connected when its selector matches.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_CONNECTION_H
#define MARKERS_CONNECTION_H

#include "dispatch.h"
#include "env.h"
#include "guard.h"
#include "selector.h"

struct marker_probe;

struct marker_connection {
	struct list_head list;		/* list of connections, in order of connecting */
	struct list_head leaving;	/* list of connections that a transaction ends */
	struct hlist_node by_selector, by_id;	/* connection.c */
	struct marker_selector selector;
	struct marker_probe *probe;		/* the module is pinned */
	unsigned int id;		/* from 1, not used again */
	char *words;			/* backs selector, args and filter */
	const char *args;		/* words for the probe, or NULL */
	void *data;			/* result of the probe's attach() */
	struct marker_guard guard;		/* between hooks and probe, if needed */
	struct list_head hooks;		/* list of struct marker_binding */
	bool done;			/* limit reached, gates closed */
	bool dying;			/* disconnected, its probe may still run */
	bool blocked;			/* disconnected, but a busy gate leads to it */
	bool needs_site;		/* the first transaction fails if no site can open */
	bool gets_site;			/* a site can open, as that transaction has found */
};

/*
 * Hook of a connection, shared by the sites that call the same function with the same data.  A
 * connection has one, or several if its probe has a bind(), and frees them at its end.
 */
struct marker_binding {
	struct marker_hook hook;
	struct marker_guarded guarded;		/* the probe */
	struct marker_connection *conn;
	struct list_head list;		/* node of conn->hooks */
	struct hlist_node by_link;	/* node of a table in connection.c */
};

static inline struct marker_connection *marker_connection_of(const struct marker_hook *hook)
{
	return container_of(hook, struct marker_binding, hook)->conn;
}

/*
 * Find or make the hook of @conn for sites that reach @link with the same fields. ERR_PTR(-ENOMEM).
 * Locks: marker_mutex.
 */
struct marker_hook *marker_connection_hook(struct marker_connection *conn,
					   const struct marker_link *link,
					   const struct marker_filter_fields *fields);

/* Sites that it has at the moment. */
unsigned int marker_connection_nsites(const struct marker_connection *conn);

/* All connections, including the dying ones.  Locks: marker_mutex. */
extern struct list_head marker_connections;

/* Free the connection, and detach its probe.  May sleep. */
void marker_connection_free(struct marker_connection *conn);

/* True if both have the same probe, words, options and condition. */
bool marker_connection_same_args(const struct marker_connection *a,
				 const struct marker_connection *b);

/* Add a connection to all tables when it is made; delete it when it is freed. */
void marker_connection_add(struct marker_connection *conn);
void marker_connection_del(struct marker_connection *conn);

/* Return a listed connection with the same selector, probe and words that is not dying. */
struct marker_connection *marker_connection_find_equal(const struct marker_connection *conn);

/* Return the connection with the number @id, or NULL. */
struct marker_connection *marker_connection_find_id(unsigned int id);

/*
 * Return the next connection with the selector @text, the first after NULL; NULL at the end.  A
 * name without a '/' stands for the selectors with that name in any system, too.
 */
struct marker_connection *marker_connection_next(const char *text, struct marker_connection *conn);

#endif
