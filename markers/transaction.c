// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transactions over connections; what happens to their sites is in dispatch.c.
 *
 * Locks: see transaction.h.
 */
#include "connections.h"
#include "quiesce.h"
#include "terms.h"
#include "transaction.h"

static DEFINE_MUTEX(transaction_mutex);
static struct marker_transaction current_transaction;
static bool waits;			/* it is committed, but not finished */

void marker_transaction_init(struct marker_transaction *t)
{
	INIT_LIST_HEAD(&t->sites);
	INIT_LIST_HEAD(&t->fresh);
	INIT_LIST_HEAD(&t->leaving);
	memset(&t->stats, 0, sizeof(t->stats));
}

static void free_connection(struct connection *conn)
{
	list_del(&conn->list);
	marker_connections_del(conn);
	connection_free(conn);
}

void marker_transaction_disconnect(struct marker_transaction *t, struct connection *conn)
{
	conn->dying = true;
	list_add_tail(&conn->leaving, &t->leaving);
}

static void abort_transaction(struct marker_transaction *t)
{
	struct connection *conn, *tmp;

	dispatch_abort(&t->sites);
	list_for_each_entry_safe(conn, tmp, &t->leaving, leaving) {
		list_del_init(&conn->leaving);
		conn->dying = false;
	}
	list_for_each_entry_safe(conn, tmp, &t->fresh, list)
		free_connection(conn);
}

int marker_transaction_commit(struct marker_transaction *t, int ret)
{
	struct connection *conn;

	if (!ret)
		ret = dispatch_commit(&t->sites, &t->stats);
	if (ret) {
		abort_transaction(t);
		return ret;
	}
	/* Before the wait: modules that come meanwhile get theirs. */
	list_splice_tail_init(&t->fresh, &connections);
	list_for_each_entry(conn, &t->leaving, leaving)
		conn->done |= !conn->dying;
	return 0;
}

void marker_transaction_finish(struct marker_transaction *t)
{
	struct connection *conn, *tmp;

	dispatch_finish(&t->sites, &t->stats);
	list_for_each_entry_safe(conn, tmp, &t->leaving, leaving) {
		list_del_init(&conn->leaving);
		if (conn->dying)
			free_connection(conn);
		cond_resched();
	}
}

/* Finishes the current transaction, if that waits; -ETIMEDOUT.  Locks: transaction_mutex. */
static int settle(void)
{
	u64 start = ktime_get_ns();
	int ret;

	if (!waits)
		return 0;
	ret = marker_quiesce_wait();
	current_transaction.stats.wait_ns += ktime_get_ns() - start;
	if (ret)
		return ret;
	mutex_lock(&markers_mutex);
	marker_transaction_finish(&current_transaction);
	mutex_unlock(&markers_mutex);
	waits = false;
	return 0;
}

struct marker_transaction *marker_transaction_begin(void)
{
	mutex_lock(&transaction_mutex);
	if (settle()) {
		mutex_unlock(&transaction_mutex);
		return NULL;
	}
	marker_transaction_init(&current_transaction);
	mutex_lock(&markers_mutex);
	return &current_transaction;
}

int marker_transaction_end(int ret)
{
	struct marker_transaction *t = &current_transaction;

	ret = marker_transaction_commit(t, ret);
	waits = !ret && t->stats.waits;
	if (waits)
		marker_quiesce_begin();
	else if (!ret)
		marker_transaction_finish(t);
	mutex_unlock(&markers_mutex);
	if (waits)
		ret = settle();
	mutex_unlock(&transaction_mutex);
	return ret;
}

int marker_transaction_settle(void)
{
	int ret;

	mutex_lock(&transaction_mutex);
	ret = settle();
	mutex_unlock(&transaction_mutex);
	return ret;
}
