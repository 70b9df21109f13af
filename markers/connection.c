// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of connections, which may have tens of thousands of entries.
 *
 * Locks: marker_mutex.
 */
#include "connection.h"
#include "marker_probe.h"
#include "name.h"

LIST_HEAD(marker_connections);

static DEFINE_HASHTABLE(by_selector, 10);
static DEFINE_HASHTABLE(by_id, 10);
static DEFINE_HASHTABLE(bindings, 12);

static bool same_words(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool marker_connection_same_args(const struct marker_connection *a,
				 const struct marker_connection *b)
{
	return a->probe == b->probe && same_words(a->args, b->args) &&
	       a->guard.limit == b->guard.limit &&
	       same_words(a->guard.filter.words, b->guard.filter.words);
}

static unsigned long binding_key(const struct marker_connection *conn,
				 const struct marker_link *link)
{
	return hash_long((unsigned long)conn, BITS_PER_LONG) ^ (unsigned long)link->data;
}

struct marker_hook *marker_connection_hook(struct marker_connection *conn,
					   const struct marker_link *link,
					   const struct marker_filter_fields *fields)
{
	marker_fn *guard = marker_guard_func(&conn->guard, fields);
	struct marker_binding *b;

	hash_for_each_possible(bindings, b, by_link, binding_key(conn, link))
		if (b->conn == conn && b->guarded.link.func == link->func &&
		    b->guarded.link.data == link->data &&
		    !memcmp(&b->guarded.fields, fields, sizeof(*fields)))
			return &b->hook;
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return ERR_PTR(-ENOMEM);
	b->conn = conn;
	b->guarded.guard = &conn->guard;
	b->guarded.fields = *fields;
	b->guarded.link = *link;
	marker_hook_init(&b->hook, guard ?: link->func, guard ? &b->guarded : link->data);
	list_add_tail(&b->list, &conn->hooks);
	hash_add(bindings, &b->by_link, binding_key(conn, link));
	return &b->hook;
}

void marker_connection_free(struct marker_connection *conn)
{
	struct marker_binding *b, *tmp;

	list_for_each_entry_safe(b, tmp, &conn->hooks, list) {
		hash_del(&b->by_link);
		kfree(b);
	}
	if (conn->data && conn->probe->detach)
		conn->probe->detach(conn->data);
	module_put(conn->probe->owner);
	marker_filter_free(&conn->guard.filter);
	kvfree(conn->words);
	kfree(conn);
}

unsigned int marker_connection_nsites(const struct marker_connection *conn)
{
	struct marker_binding *b;
	unsigned int n = 0;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(b, &conn->hooks, list)
		n += b->hook.nsites;
	return n;
}

/* Names that differ only in what is in front of the '/' have the same key. */
static u32 selector_key(const char *text)
{
	return marker_registry_hash(marker_name_part(text));
}

void marker_connection_add(struct marker_connection *conn)
{
	lockdep_assert_held(&marker_mutex);
	hash_add(by_selector, &conn->by_selector, selector_key(conn->selector.text));
	hash_add(by_id, &conn->by_id, conn->id);
	marker_selector_count_debug(&conn->selector, 1);
}

void marker_connection_del(struct marker_connection *conn)
{
	lockdep_assert_held(&marker_mutex);
	hash_del(&conn->by_selector);
	hash_del(&conn->by_id);
	marker_selector_count_debug(&conn->selector, -1);
}

struct marker_connection *marker_connection_find_equal(const struct marker_connection *conn)
{
	struct marker_connection *other;

	lockdep_assert_held(&marker_mutex);
	hash_for_each_possible(by_selector, other, by_selector, selector_key(conn->selector.text))
		if (!other->dying && !strcmp(other->selector.text, conn->selector.text) &&
		    marker_connection_same_args(other, conn))
			return other;
	return NULL;
}

struct marker_connection *marker_connection_find_id(unsigned int id)
{
	struct marker_connection *conn;

	lockdep_assert_held(&marker_mutex);
	hash_for_each_possible(by_id, conn, by_id, id)
		if (conn->id == id)
			return conn;
	return NULL;
}

static struct marker_connection *first_in_bucket(const char *text)
{
	struct marker_connection *conn;

	hash_for_each_possible(by_selector, conn, by_selector, selector_key(text))
		break;
	return conn;
}

static struct marker_connection *next_in_bucket(const struct marker_connection *conn)
{
	return hlist_entry_safe(conn->by_selector.next, struct marker_connection, by_selector);
}

/* True if @text is the selector, or the name in it without its system. */
static bool is_called(const struct marker_connection *conn, const char *text)
{
	const struct marker_selector *selector = &conn->selector;

	return marker_selector_is_name(selector) ? marker_name_is(selector->text, text) :
						   !strcmp(selector->text, text);
}

struct marker_connection *marker_connection_next(const char *text, struct marker_connection *conn)
{
	lockdep_assert_held(&marker_mutex);
	conn = conn ? next_in_bucket(conn) : first_in_bucket(text);
	while (conn && !is_called(conn, text))
		conn = next_in_bucket(conn);
	return conn;
}
