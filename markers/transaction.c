// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transactions over connections; dispatch.c changes their sites.
 *
 * Locks: see transaction.h.
 */
#include "changes.h"
#include "connection.h"
#include "probe.h"
#include "quiesce.h"
#include "transaction.h"

static DEFINE_MUTEX(transaction_mutex);
static struct marker_transaction current_transaction;
static bool waits;			/* committed, but not finished */
static unsigned int blocked;

/*
 * Decide whether the transaction is carried out: each new connection that needs a site has
 * to get one.  Everything is verified and nothing is written.  Locks: marker_text_lock().
 */
static int decide(struct marker_transaction *t)
{
	struct marker_connection *conn;
	struct marker_site_state *site;
	unsigned int i;
	int ret = 0;

	list_for_each_entry(site, &t->sites, changed)
		for (i = 0; site->next && i < site->next->nhooks; i++)
			marker_connection_of(site->next->hooks[i])->gets_site |=
				!marker_dispatch_is_blocked(site);
	list_for_each_entry(conn, &t->fresh, list)
		if (conn->needs_site && !conn->gets_site && !conn->dying) {
			pr_err("\"%s %s\": every site has unexpected bytes\n",
			       conn->selector.text, conn->probe->name);
			ret = -EBUSY;
		}
	return ret;
}

unsigned int marker_transaction_blocked(void)
{
	return READ_ONCE(blocked);
}

void marker_transaction_init(struct marker_transaction *t)
{
	t->ret = 0;
	t->rule = NULL;
	INIT_LIST_HEAD(&t->sites);
	INIT_LIST_HEAD(&t->fresh);
	INIT_LIST_HEAD(&t->leaving);
	memset(&t->stats, 0, sizeof(t->stats));
}

static void set_blocked(struct marker_connection *conn, bool now)
{
	blocked += now - conn->blocked;
	conn->blocked = now;
}

static void free_connection(struct marker_connection *conn)
{
	set_blocked(conn, false);
	list_del(&conn->list);
	marker_connection_del(conn);
	marker_connection_free(conn);
}

void marker_transaction_disconnect(struct marker_transaction *t, struct marker_connection *conn)
{
	lockdep_assert_held(&marker_mutex);
	conn->dying = true;
	list_add_tail(&conn->leaving, &t->leaving);
}

void marker_transaction_expose(struct marker_transaction *t, struct marker_expose_rule *rule)
{
	marker_expose_free(t->rule);
	t->rule = rule;
}

static void abort_transaction(struct marker_transaction *t)
{
	struct marker_connection *conn, *tmp;

	marker_transaction_expose(t, NULL);
	marker_dispatch_abort(&t->sites);
	list_for_each_entry_safe(conn, tmp, &t->leaving, leaving) {
		list_del_init(&conn->leaving);
		conn->dying = false;
	}
	list_for_each_entry_safe(conn, tmp, &t->fresh, list)
		free_connection(conn);
}

/* Keep connections whose probe can still be reached through a foreign gate. */
static void keep_reached(struct marker_transaction *t)
{
	struct marker_connection *conn, *tmp;

	list_for_each_entry_safe(conn, tmp, &t->leaving, leaving) {
		if (!marker_connection_nsites(conn))
			continue;
		if (conn->dying && !conn->blocked)
			pr_err("\"%s %s\" stays until the busy gates and calls of %u sites can be changed\n",
			       conn->selector.text, conn->probe->name,
			       marker_connection_nsites(conn));
		if (conn->dying) {
			set_blocked(conn, true);
			t->ret = -EBUSY;
		}
		conn->dying = false;
		list_del_init(&conn->leaving);
	}
}

int marker_transaction_commit(struct marker_transaction *t, int ret)
{
	struct marker_connection *conn;
	struct marker_changes changes;

	lockdep_assert_held(&marker_mutex);
	if (!ret)
		ret = marker_dispatch_verify(&t->sites, &changes, &t->stats);
	if (!ret) {
		ret = decide(t);
		if (ret)
			marker_dispatch_cancel(&t->sites, &changes);
		else
			marker_dispatch_apply(&t->sites, &changes, &t->stats);
	}
	if (ret) {
		abort_transaction(t);
		return ret;
	}
	if (t->rule)
		marker_expose_set(t->rule);
	t->rule = NULL;
	/* Before the wait: modules that come meanwhile get theirs. */
	list_splice_tail_init(&t->fresh, &marker_connections);
	keep_reached(t);
	list_for_each_entry(conn, &t->leaving, leaving)
		conn->done |= !conn->dying;
	return 0;
}

void marker_transaction_finish(struct marker_transaction *t)
{
	struct marker_connection *conn, *tmp;

	lockdep_assert_held(&marker_mutex);
	marker_dispatch_finish(&t->sites, &t->stats);
	list_for_each_entry_safe(conn, tmp, &t->leaving, leaving) {
		list_del_init(&conn->leaving);
		if (conn->dying)
			free_connection(conn);
		cond_resched();
	}
}

/* Finishes the current transaction, if that waits; -ETIMEDOUT.  Locks: transaction_mutex. */
static int finish_waiting(void)
{
	u64 start = ktime_get_ns();
	int ret;

	lockdep_assert_held(&transaction_mutex);
	if (!waits)
		return 0;
	ret = marker_quiesce_wait();
	current_transaction.stats.wait_ns += ktime_get_ns() - start;
	if (ret)
		return ret;
	mutex_lock(&marker_mutex);
	marker_transaction_finish(&current_transaction);
	mutex_unlock(&marker_mutex);
	waits = false;
	return 0;
}

struct marker_transaction *marker_transaction_begin(void)
{
	mutex_lock(&transaction_mutex);
	if (finish_waiting()) {
		mutex_unlock(&transaction_mutex);
		return NULL;
	}
	marker_transaction_init(&current_transaction);
	mutex_lock(&marker_mutex);
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
	mutex_unlock(&marker_mutex);
	ret = ret ?: t->ret;
	if (waits)
		ret = finish_waiting() ?: ret;
	mutex_unlock(&transaction_mutex);
	return ret;
}

int marker_transaction_wait(void)
{
	int ret;

	mutex_lock(&transaction_mutex);
	ret = finish_waiting();
	mutex_unlock(&transaction_mutex);
	return ret;
}
