// SPDX-License-Identifier: GPL-2.0-only
/* Sites get and lose the probes of connections. */
#include "connect.h"
#include "debug_site.h"
#include "kprobe_gate.h"
#include "marker_probe.h"
#include "name.h"
#include "quiesce.h"

/* Return 0 if the probe may observe the site, or an errno; the log says why not. */
static int check_site(const struct marker_connection *conn, const struct marker_site_state *site,
		      struct marker_filter_fields *fields)
{
	const struct marker_probe *probe = conn->probe;
	const struct marker_site *entry = site->entry;
	int ret;

	if (probe->format && strcmp(probe->format, entry->format)) {
		pr_err("%s (%s:%u) has format \"%s\", probe %s expects \"%s\"\n", entry->name,
		       entry->file, entry->line, entry->format, probe->name, probe->format);
		return -EINVAL;
	}
	ret = marker_filter_check(&conn->guard.filter, entry, fields);
	if (ret)
		return ret;
	ret = probe->check ? probe->check(conn->data, entry) : 0;
	if (ret) {
		pr_err("probe %s refuses %s (%s:%u), format \"%s\": %pe\n", probe->name,
		       entry->name, entry->file, entry->line, entry->format, ERR_PTR(ret));
		return ret;
	}
	if (!marker_site_is_patchable(site)) {
		pr_err("%s (%s:%u) has a %s gate, and text is not patched here\n", entry->name,
		       entry->file, entry->line, marker_gate_kind_name(entry->kind));
		return -EOPNOTSUPP;
	}
	return 0;
}

/* A connection of the same probe and words that @site has, but for dying ones. */
static struct marker_connection *find_twin(const struct marker_connection *conn,
					   const struct marker_site_state *site)
{
	unsigned int i;

	for (i = 0; site->next && i < site->next->nhooks; i++) {
		struct marker_connection *other = marker_connection_of(site->next->hooks[i]);

		if (marker_connection_same_args(other, conn))
			return other;
	}
	return NULL;
}

static struct marker_hook *bind_site(struct marker_connection *conn,
				     const struct marker_site_state *site,
				     const struct marker_filter_fields *fields)
{
	struct marker_link link = { conn->probe->func, conn->data };
	int ret = 0;

	if (conn->probe->bind)
		ret = conn->probe->bind(conn->data, site->entry, &link);
	return ret ? ERR_PTR(ret) : marker_connection_hook(conn, &link, fields);
}

/*
 * Decide which copies of a site stay closed. All copies share the link and the flag, so all
 * connections of the site must have the same copies. Exchanging two copies would need both states
 * until the commit, so that takes two transactions.
 */
static int check_copies(const struct marker_connection *conn, struct marker_site_state *site)
{
	bool is_first = !site->set && !site->next, excluded;
	struct marker_gate_state *gate;

	for (gate = site->gates; gate < site->gates + site->ngates; gate++) {
		excluded = marker_selector_leaves_out(&conn->selector, site, gate);
		if (excluded && gate->kind == MARKER_GATE_GENERIC) {
			pr_err("%s (%s:%u) has one flag for all functions that it is in: connect it as \"%s\"\n",
			       site->entry->name, site->entry->file, site->entry->line,
			       site->entry->name);
			return -EOPNOTSUPP;
		}
		if (is_first)
			gate->excluded = excluded;
		if (gate->excluded == excluded || gate->gone)
			continue;
		pr_err("%s (%s:%u) is connected in other functions than \"%s\" says: disconnect it first, in a write of its own\n",
		       site->entry->name, site->entry->file, site->entry->line,
		       conn->selector.text);
		return -EEXIST;
	}
	return 0;
}

static int connect_site(struct marker_transaction *t, struct marker_connection *conn,
			struct marker_site_state *site)
{
	struct marker_filter_fields fields;
	int ret = check_site(conn, site, &fields) ?: check_copies(conn, site);
	struct marker_hook *hook;

	if (ret)
		return ret;
	if (find_twin(conn, site)) {
		pr_err("%s (%s:%u) has probe %s already; disconnect it first\n", site->entry->name,
		       site->entry->file, site->entry->line, conn->probe->name);
		return -EEXIST;
	}
	hook = bind_site(conn, site, &fields);
	ret = IS_ERR(hook) ? PTR_ERR(hook) : marker_dispatch_add(&t->sites, site, hook);
	if (ret)
		pr_err("%s (%s:%u) does not get probe %s: %pe\n", site->entry->name,
		       site->entry->file, site->entry->line, conn->probe->name, ERR_PTR(ret));
	return ret;
}

static int check_one_presence(const struct marker_selector *selector)
{
	const struct marker_site_state *site;

	if (marker_selector_next(selector, NULL, NULL))
		return 0;
	site = marker_selector_refused(selector);
	if (site)
		marker_site_report_refused(site);
	else
		pr_err("no site matches \"%s\"; is its module loaded? \"arm\" waits for it\n",
		       selector->text);
	return site ? -EOPNOTSUPP : -ENOENT;
}

/* Return 0 if there is a site of each marker that the connection needs, or an errno. */
static int check_presence(const struct marker_connection *conn)
{
	struct marker_selector first = conn->selector;
	const struct marker_selector also = {
		.kind = SELECT_NAME, .text = first.also, .word = first.also,
	};

	first.also = NULL;
	return check_one_presence(&first) ?: (also.text ? check_one_presence(&also) : 0);
}

/*
 * Return -EINVAL if the selector picks only the marker that the probe needs besides: no interval
 * would ever end.
 */
static int check_pair(struct marker_connection *conn)
{
	const char *also = conn->selector.also;
	bool same = also && !strcmp(conn->selector.text, also), found = false;
	struct marker_site_state *site;

	if (!also)
		return 0;
	conn->selector.also = NULL;
	for (site = marker_selector_next(&conn->selector, NULL, NULL); site && !same && !found;
	     site = marker_selector_next(&conn->selector, NULL, site))
		found = !marker_name_is(site->entry->name, also);
	same |= !found && marker_selector_next(&conn->selector, NULL, NULL);
	conn->selector.also = also;
	if (!same)
		return 0;
	pr_err("\"%s\" is %s itself: probe %s needs two markers\n", conn->selector.text, also,
	       conn->probe->name);
	return -EINVAL;
}

int marker_connect(struct marker_transaction *t, struct marker_connection *conn, bool arm)
{
	struct marker_site_state *site;
	unsigned int n = 0, there = 0;
	int ret = marker_debug_add(&conn->selector);

	for (site = marker_selector_next(&conn->selector, NULL, NULL); site && !ret;
	     site = marker_selector_next(&conn->selector, NULL, site), n++) {
		ret = connect_site(t, conn, site);
		there += !marker_site_is_gone(site);
		cond_resched();
	}
	if (!ret && !arm && n && !there) {
		pr_err("\"%s\": the text of its sites is gone; \"arm\" waits for the next load of their module\n",
		       conn->selector.text);
		ret = -ENOENT;
	}
	if (!ret)
		ret = check_pair(conn);
	if (!ret && !arm)
		ret = check_presence(conn);
	/* An armed connection may be there without any site; only one of a kind. */
	if (!ret && !n && marker_connection_find_equal(conn))
		ret = -EEXIST;
	conn->needs_site = n && !arm;
	/* After an error too: sites have it staged until the abort. */
	list_add_tail(&conn->list, &t->fresh);
	marker_connection_add(conn);
	return ret;
}

static bool leaves(const struct marker_hook *hook)
{
	return !list_empty(&marker_connection_of(hook)->leaving);
}

/* Return the next site that a selector may have picked; all sites for NULL. */
static struct marker_site_state *next_left(const struct marker_selector *selector,
					   struct marker_site_state *site)
{
	if (selector)
		return marker_selector_next(selector, NULL, site);
	return site ? marker_registry_site_after(site) : marker_registry_next_site(0);
}

static int leave_sites(struct marker_transaction *t, const struct marker_selector *selector)
{
	struct marker_site_state *site;
	int ret = 0;

	/* The function of a copy is not known any more when init text has been freed. */
	if (selector && selector->kind == SELECT_FUNCTION)
		selector = NULL;
	for (site = next_left(selector, NULL); site && !ret; site = next_left(selector, site)) {
		ret = marker_dispatch_del(&t->sites, site, leaves);
		cond_resched();
	}
	return ret;
}

/* Stage the removal of all leaving connections from their sites, in one walk over the sites. */
static int leave_all(struct marker_transaction *t)
{
	struct marker_connection *conn;

	if (list_empty(&t->leaving))
		return 0;
	if (!list_is_singular(&t->leaving))
		return leave_sites(t, NULL);
	conn = list_first_entry(&t->leaving, struct marker_connection, leaving);
	return leave_sites(t, &conn->selector);
}

static bool may_leave(const struct marker_connection *conn, const char *name)
{
	return !conn->dying && (!name || !strcmp(name, conn->probe->name));
}

static int disconnect_one(struct marker_transaction *t, struct marker_connection *conn,
			  unsigned int *n)
{
	marker_transaction_disconnect(t, conn);
	++*n;
	return leave_sites(t, &conn->selector);
}

/* True if the selector of @conn is the glob @select, or a text that it matches. */
static bool is_selected_by(const struct marker_connection *conn, const char *select)
{
	const char *text = conn->selector.text;

	return !strcmp(select, text) || glob_match(select, text) ||
	       (marker_selector_is_name(&conn->selector) && marker_name_matches(text, select));
}

static int disconnect_glob(struct marker_transaction *t, const char *select, const char *name,
			   unsigned int *n)
{
	struct list_head *lists[] = { &marker_connections, &t->fresh };
	struct marker_connection *conn;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(conn, lists[i], list) {
			if (!may_leave(conn, name) || !is_selected_by(conn, select))
				continue;
			marker_transaction_disconnect(t, conn);
			++*n;
		}
	return leave_all(t);
}

static int disconnect_named(struct marker_transaction *t, const char *select, const char *name,
			    unsigned int *n)
{
	struct marker_connection *conn = NULL;
	int ret = 0;

	while (!ret && (conn = marker_connection_next(select, conn)))
		if (may_leave(conn, name))
			ret = disconnect_one(t, conn, n);
	return ret;
}

static int disconnect_id(struct marker_transaction *t, unsigned int id, const char *name,
			 unsigned int *n)
{
	struct marker_connection *conn = marker_connection_find_id(id);

	return conn && may_leave(conn, name) ? disconnect_one(t, conn, n) : 0;
}

int marker_disconnect(struct marker_transaction *t, const char *select, const char *name)
{
	unsigned int id, n = 0;
	int ret;

	lockdep_assert_held(&marker_mutex);
	if (!strncmp(select, "id:", 3) && !kstrtouint(select + 3, 10, &id))
		ret = disconnect_id(t, id, name, &n);
	else if (strpbrk(select, "*?[\\"))
		ret = disconnect_glob(t, select, name, &n);
	else
		ret = disconnect_named(t, select, name, &n);
	if (n)
		return ret;
	pr_err("nothing is connected as \"%s%s%s\"; the file control lists the connections\n",
	       select, name ? " " : "", name ?: "");
	return -ENOENT;
}

/* Connect @site to the matching connections that do not have it yet. */
static void connect_missing(struct marker_transaction *t, struct marker_site_state *site)
{
	struct marker_connection *conn;

	list_for_each_entry(conn, &marker_connections, list)
		if (!conn->done && !conn->blocked && !conn->dying &&
		    marker_selector_matches(&conn->selector, site) && !find_twin(conn, site))
			connect_site(t, conn, site);
}

void marker_connect_retry(void)
{
	struct marker_transaction *t;
	struct marker_connection *conn;
	struct marker_site_state *site;

	if (!READ_ONCE(marker_table_text_busy) && !marker_transaction_blocked())
		return;
	t = marker_transaction_begin();
	if (!t)
		return;
	marker_registry_retry();
	marker_dispatch_join_busy(&t->sites);
	list_for_each_entry(site, &t->sites, changed)
		if (site->group.refused)
			connect_missing(t, site);
	list_for_each_entry(conn, &marker_connections, list)
		if (conn->blocked)
			marker_transaction_disconnect(t, conn);
		else if (!conn->done && marker_guard_is_spent(&conn->guard))
			list_add_tail(&conn->leaving, &t->leaving);
	marker_transaction_end(leave_all(t));
}

void marker_disconnect_spent(void)
{
	struct marker_transaction *t = marker_transaction_begin();
	struct marker_connection *conn;
	int ret;

	/* When that one can be finished, this is called again. */
	if (!t)
		return;
	list_for_each_entry(conn, &marker_connections, list)
		if (!conn->done && marker_guard_is_spent(&conn->guard))
			list_add_tail(&conn->leaving, &t->leaving);
	ret = marker_transaction_end(leave_all(t));
	if (ret && ret != -ETIMEDOUT)
		pr_err("gates of a connection past its limit stay open: %pe\n", ERR_PTR(ret));
}

int marker_disconnect_if(struct marker_probe *probe,
			 bool (*ends)(const void *data, const void *what), const void *what)
{
	struct marker_transaction *t = marker_transaction_begin();
	struct marker_connection *conn;

	if (!t)
		return -EAGAIN;
	list_for_each_entry(conn, &marker_connections, list)
		if (conn->probe == probe && ends(conn->data, what))
			marker_transaction_disconnect(t, conn);
	return marker_transaction_end(leave_all(t));
}

void marker_connect_table(struct marker_table *table)
{
	struct marker_connection *conn;
	struct marker_transaction t;
	struct marker_site_state *site;

	lockdep_assert_held(&marker_mutex);
	marker_transaction_init(&t);
	list_for_each_entry(conn, &marker_connections, list) {
		if (conn->done || conn->dying || conn->blocked)
			continue;
		for (site = marker_selector_next(&conn->selector, table, NULL); site;
		     site = marker_selector_next(&conn->selector, table, site))
			if (!find_twin(conn, site))
				connect_site(&t, conn, site);
		cond_resched();
	}
	if (marker_transaction_commit(&t, 0)) {
		pr_err("%s: its armed sites stay closed\n", module_name(table->mod));
		return;
	}
	/* A module whose table had no memory before may run. */
	if (t.stats.waits)
		marker_quiesce();
	marker_transaction_finish(&t);
}

void marker_disconnect_table(struct marker_table *table)
{
	unsigned int i;

	lockdep_assert_held(&marker_mutex);
	marker_kprobe_gates_drop(table);
	for (i = 0; i < table->nsites; i++)
		marker_dispatch_forget(&table->sites[i]);
}

/*
 * A connection pins the module of its probe, so only the probe of a module
 * that is not being unloaded can have any here.
 */
int marker_disconnect_probe(struct marker_probe *probe)
{
	struct marker_connection *conn;
	struct marker_transaction *t;
	int ret;

	do {
		t = marker_transaction_begin();
	} while (!t);
	list_for_each_entry(conn, &marker_connections, list)
		if (conn->probe == probe)
			marker_transaction_disconnect(t, conn);
	ret = marker_transaction_end(leave_all(t));
	while (ret == -ETIMEDOUT)
		ret = marker_transaction_wait();
	return ret;
}
