// SPDX-License-Identifier: GPL-2.0-only
/* Finds connections, of which there may be tens of thousands. */
#include "connections.h"
#include "terms.h"

LIST_HEAD(connections);

static DEFINE_HASHTABLE(by_selector, 12);
static DEFINE_HASHTABLE(by_terms, 12);
static DEFINE_HASHTABLE(by_id, 12);

unsigned int connection_nsites(const struct connection *conn)
{
	struct binding *b;
	unsigned int n = 0;

	list_for_each_entry(b, &conn->hooks, list)
		n += b->hook.nsites;
	return n;
}

static unsigned long terms_key(const struct connection *conn)
{
	unsigned long key = marker_name_hash(conn->selector.text);

	return hash_long(key ^ (unsigned long)conn->probe, BITS_PER_LONG) ^
	       marker_name_hash(conn->args ?: "");
}

void marker_connections_add(struct connection *conn)
{
	hash_add(by_selector, &conn->by_selector, marker_name_hash(conn->selector.text));
	hash_add(by_terms, &conn->by_terms, terms_key(conn));
	hash_add(by_id, &conn->by_id, conn->id);
}

void marker_connections_del(struct connection *conn)
{
	hash_del(&conn->by_selector);
	hash_del(&conn->by_terms);
	hash_del(&conn->by_id);
}

struct connection *marker_connections_find_equal(const struct connection *conn)
{
	struct connection *other;

	hash_for_each_possible(by_terms, other, by_terms, terms_key(conn))
		if (other != conn && !other->dying &&
		    !strcmp(other->selector.text, conn->selector.text) &&
		    terms_equal(other, conn))
			return other;
	return NULL;
}

struct connection *marker_connections_find_id(unsigned int id)
{
	struct connection *conn;

	hash_for_each_possible(by_id, conn, by_id, id)
		if (conn->id == id)
			return conn;
	return NULL;
}

static struct connection *first_in_bucket(const char *text)
{
	struct connection *conn;

	hash_for_each_possible(by_selector, conn, by_selector, marker_name_hash(text))
		break;
	return conn;
}

static struct connection *next_in_bucket(const struct connection *conn)
{
	return hlist_entry_safe(conn->by_selector.next, struct connection, by_selector);
}

struct connection *marker_connections_next(const char *text, struct connection *conn)
{
	conn = conn ? next_in_bucket(conn) : first_in_bucket(text);
	while (conn && strcmp(conn->selector.text, text))
		conn = next_in_bucket(conn);
	return conn;
}
