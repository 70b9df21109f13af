// SPDX-License-Identifier: GPL-2.0-only
/* Commits a transaction or drops it; see transaction.h. */
#include "probes.h"
#include "terms.h"
#include "transaction.h"

/* Frees the connections of a list that are dying or, with @all, all of them. */
static void reap(struct list_head *list, bool all)
{
	struct connection *conn, *tmp;

	list_for_each_entry_safe(conn, tmp, list, list) {
		if (!all && !conn->dying)
			continue;
		list_del(&conn->list);
		connection_free(conn);
	}
}

/* Those whose probe can still be reached by way of a foreign gate stay. */
static int keep_reached(void)
{
	struct connection *conn;
	int ret = 0;

	list_for_each_entry(conn, &connections, list) {
		if (!conn->dying || !connection_nsites(conn))
			continue;
		if (!conn->leaving)
			pr_err("markers: \"%s %s\" stays until the busy gates and calls of %u sites can be changed\n",
			       conn->selector.text, conn->probe->name, connection_nsites(conn));
		conn->leaving = true;
		conn->dying = false;
		ret = -EBUSY;
	}
	return ret;
}

/* Whether each new connection gets a site; the bytes of all have been verified. */
static int check_sites(struct patch_agreement *agreement)
{
	const struct transaction *t = container_of(agreement, struct transaction, agreement);
	struct connection *conn;
	struct site *site;
	unsigned int i;
	int ret = 0;

	list_for_each_entry(site, &t->sites, changed) {
		if (!site->next || marker_dispatch_is_blocked(site))
			continue;
		for (i = 0; i < site->next->nhooks; i++)
			connection_of(site->next->hooks[i])->wants_site = false;
	}
	list_for_each_entry(conn, &t->fresh, list)
		if (conn->wants_site && !conn->dying) {
			pr_err("markers: \"%s %s\": the bytes of no site are ours\n",
			       conn->selector.text, conn->probe->name);
			ret = -EBUSY;
		}
	return ret;
}

int marker_transaction_finish(struct transaction *t, int ret)
{
	struct connection *conn;

	if (!ret)
		ret = dispatch_commit(&t->sites, &t->agreement);
	else
		dispatch_abort(&t->sites);
	if (ret) {
		reap(&t->fresh, true);
		list_for_each_entry(conn, &connections, list)
			conn->dying = false;
		return ret;
	}
	list_splice_tail(&t->fresh, &connections);
	if (t->reaps) {
		ret = keep_reached();
		reap(&connections, false);
	}
	return ret;
}

void marker_transaction_begin(struct transaction *t)
{
	INIT_LIST_HEAD(&t->sites);
	INIT_LIST_HEAD(&t->fresh);
	t->reaps = false;
	t->agreement = (struct patch_agreement){ .agree = check_sites };
}
