/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The connections that there are, found by what they were given.
 *
 * Locks: everything under markers_mutex.
 */
#ifndef MARKERS_CONNECTIONS_H
#define MARKERS_CONNECTIONS_H

#include "connection.h"
#include "env.h"

/* From when it is made until it is freed, on whatever list it is. */
void marker_connections_add(struct connection *conn);
void marker_connections_del(struct connection *conn);

/* Another of the same selector, probe and words, but for those that are dying. */
struct connection *marker_connections_find_equal(const struct connection *conn);

/* That with the number @id, or NULL. */
struct connection *marker_connections_find_id(unsigned int id);

/* Those with the selector @text, one a call, beginning with NULL; NULL at the end. */
struct connection *marker_connections_next(const char *text, struct connection *conn);

#endif
