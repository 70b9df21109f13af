// SPDX-License-Identifier: GPL-2.0-only
/* Connections and the commands that make and break them. */
#include "connections.h"
#include "ghosts.h"
#include "probes.h"
#include "terms.h"
#include "transaction.h"

/* Whether the probe may observe the site; the log says why not. */
static int check_site(const struct connection *conn, const struct site *site)
{
	const struct probe *probe = conn->probe;
	const struct marker_site *entry = site->entry;
	int ret;

	if (probe->format && strcmp(probe->format, entry->format)) {
		pr_err("markers: %s (%s:%u) has format \"%s\", probe %s expects \"%s\"\n",
		       entry->name, entry->file, entry->line, entry->format,
		       probe->name, probe->format);
		return -EINVAL;
	}
	ret = filter_check(&conn->guard.filter, entry);
	if (ret)
		return ret;
	ret = probe->check ? probe->check(conn->data, entry) : 0;
	if (ret) {
		pr_err("markers: probe %s refuses %s (%s:%u), format \"%s\": %d\n",
		       probe->name, entry->name, entry->file, entry->line,
		       entry->format, ret);
		return ret;
	}
	if (!site_is_patchable(site)) {
		pr_err("markers: %s (%s:%u) has a %s gate, and text is not patched here\n",
		       entry->name, entry->file, entry->line, gate_kind_name(entry->kind));
		return -EOPNOTSUPP;
	}
	return 0;
}

/* A connection of the same probe and words that @site has, but for dying ones. */
static struct connection *find_twin(const struct connection *conn, const struct site *site)
{
	unsigned int i;

	for (i = 0; site->next && i < site->next->nhooks; i++) {
		struct connection *other = connection_of(site->next->hooks[i]);

		if (terms_equal(other, conn))
			return other;
	}
	return NULL;
}

/* What sites call that are to get to @link; ERR_PTR(-ENOMEM). */
static struct hook *get_hook(struct connection *conn, const struct probe_link *link)
{
	bool guarded = guard_is_needed(&conn->guard);
	struct binding *b;

	list_for_each_entry(b, &conn->hooks, list)
		if (b->guarded.link.func == link->func && b->guarded.link.data == link->data)
			return &b->hook;
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return ERR_PTR(-ENOMEM);
	b->conn = conn;
	b->guarded.guard = &conn->guard;
	b->guarded.link = *link;
	hook_init(&b->hook, guarded ? marker_guard : link->func,
		  guarded ? &b->guarded : link->data, conn->preempt_off);
	list_add_tail(&b->list, &conn->hooks);
	return &b->hook;
}

static struct hook *bind_site(struct connection *conn, const struct site *site)
{
	struct probe_link link = { conn->probe->func, conn->data };
	int ret = 0;

	if (conn->probe->bind)
		ret = conn->probe->bind(conn->data, site->entry, &link);
	return ret ? ERR_PTR(ret) : get_hook(conn, &link);
}

static int connect_site(struct marker_transaction *t, struct connection *conn, struct site *site)
{
	int ret = check_site(conn, site);
	struct hook *hook;

	if (ret)
		return ret;
	if (find_twin(conn, site)) {
		pr_err("markers: %s (%s:%u) has probe %s already\n", site->entry->name,
		       site->entry->file, site->entry->line, conn->probe->name);
		return -EEXIST;
	}
	hook = bind_site(conn, site);
	return IS_ERR(hook) ? PTR_ERR(hook) : dispatch_add(&t->sites, site, hook);
}

/* Whether there is a site of each marker that the connection needs. */
static int check_presence(struct connection *conn)
{
	const char *also = conn->selector.also, *missing = NULL;

	if (also && !registry_find_marker(also))
		missing = also;
	conn->selector.also = NULL;
	if (!selector_next(&conn->selector, NULL, NULL))
		missing = conn->selector.text;
	conn->selector.also = also;
	if (!missing)
		return 0;
	pr_err("markers: no site matches \"%s\"; \"arm\" waits for one\n", missing);
	return -ENOENT;
}

/*
 * A probe of two markers needs two: -EINVAL where the selector picks nothing but
 * the other one, which then never ends.
 */
static int check_pair(struct connection *conn)
{
	const char *also = conn->selector.also;
	bool same = also && !strcmp(conn->selector.text, also), found = false;
	struct site *site;

	if (!also)
		return 0;
	conn->selector.also = NULL;
	for (site = selector_next(&conn->selector, NULL, NULL); site && !same && !found;
	     site = selector_next(&conn->selector, NULL, site))
		found = strcmp(site->entry->name, also);
	same |= !found && selector_next(&conn->selector, NULL, NULL);
	conn->selector.also = also;
	if (!same)
		return 0;
	pr_err("markers: \"%s\" is %s itself: probe %s wants two markers\n",
	       conn->selector.text, also, conn->probe->name);
	return -EINVAL;
}

static int do_connect(struct marker_transaction *t, const char *select, const char *name,
		      char *args, bool arm)
{
	struct probe *probe = probe_find(name);
	struct connection *conn;
	struct site *site;
	unsigned int n = 0;
	int ret = 0;

	if (!probe) {
		pr_err("markers: no probe \"%s\"\n", name);
		return -ENOENT;
	}
	conn = connection_make(select, probe, args);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	for (site = selector_next(&conn->selector, NULL, NULL); site && !ret;
	     site = selector_next(&conn->selector, NULL, site), n++) {
		ret = connect_site(t, conn, site);
		cond_resched();
	}
	if (!ret)
		ret = check_pair(conn);
	if (!ret && !arm)
		ret = check_presence(conn);
	/* An armed connection may be there without any site; only one of a kind. */
	if (!ret && !n && marker_connections_find_equal(conn))
		ret = -EEXIST;
	conn->wants_site = n && !arm;
	/* After an error too: sites have it staged until the abort. */
	list_add_tail(&conn->list, &t->fresh);
	marker_connections_add(conn);
	return ret;
}

static bool leaves(const struct hook *hook)
{
	return !list_empty(&connection_of(hook)->leaving);
}

static int leave_sites(struct marker_transaction *t, const struct selector *selector)
{
	struct site *site;
	int ret = 0;

	for (site = selector_next(selector, NULL, NULL); site && !ret;
	     site = selector_next(selector, NULL, site)) {
		ret = dispatch_del(&t->sites, site, leaves);
		cond_resched();
	}
	return ret;
}

/* What is leaving leaves its sites; those of several are gone through once. */
static int leave_all(struct marker_transaction *t)
{
	struct site *site;
	int ret = 0;

	if (list_empty(&t->leaving))
		return 0;
	if (t->leaving.next == t->leaving.prev)
		return leave_sites(t, &list_first_entry(&t->leaving, struct connection,
							leaving)->selector);
	for (site = registry_next_site(0); site && !ret; site = marker_site_after(site)) {
		ret = dispatch_del(&t->sites, site, leaves);
		cond_resched();
	}
	return ret;
}

static bool may_leave(const struct connection *conn, const char *name)
{
	return !conn->dying && (!name || !strcmp(name, conn->probe->name));
}

static int disconnect_one(struct marker_transaction *t, struct connection *conn, unsigned int *n)
{
	marker_transaction_disconnect(t, conn);
	++*n;
	return leave_sites(t, &conn->selector);
}

static int disconnect_glob(struct marker_transaction *t, const char *select, const char *name,
			   unsigned int *n)
{
	struct list_head *lists[] = { &connections, &t->fresh };
	struct connection *conn;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(conn, lists[i], list) {
			if (!may_leave(conn, name) ||
			    (strcmp(select, conn->selector.text) &&
			     !glob_match(select, conn->selector.text)))
				continue;
			marker_transaction_disconnect(t, conn);
			++*n;
		}
	return leave_all(t);
}

static int disconnect_named(struct marker_transaction *t, const char *select, const char *name,
			    unsigned int *n)
{
	struct connection *conn = NULL;
	int ret = 0;

	while (!ret && (conn = marker_connections_next(select, conn)))
		if (may_leave(conn, name))
			ret = disconnect_one(t, conn, n);
	return ret;
}

static int disconnect_id(struct marker_transaction *t, unsigned int id, const char *name,
			 unsigned int *n)
{
	struct connection *conn = marker_connections_find_id(id);

	return conn && may_leave(conn, name) ? disconnect_one(t, conn, n) : 0;
}

static int do_disconnect(struct marker_transaction *t, const char *select, const char *name)
{
	unsigned int id, n = 0;
	int ret;

	if (!strncmp(select, "id:", 3) && !kstrtouint(select + 3, 10, &id))
		ret = disconnect_id(t, id, name, &n);
	else if (strpbrk(select, "*?[\\"))
		ret = disconnect_glob(t, select, name, &n);
	else
		ret = disconnect_named(t, select, name, &n);
	if (n || ret)
		return ret;
	pr_err("markers: nothing is connected as \"%s%s%s\"; see control\n", select,
	       name ? " " : "", name ?: "");
	return -ENOENT;
}

static int do_command(struct marker_transaction *t, char *text)
{
	char *verb = next_word(&text), *select, *probe;
	bool arm, is_connect;

	if (!verb)
		return 0;
	arm = !strcmp(verb, "arm");
	is_connect = arm || !strcmp(verb, "connect");
	select = next_word(&text);
	probe = next_word(&text);
	text = strim(skip_spaces(text));
	if (is_connect && select && probe)
		return do_connect(t, select, probe, *text ? text : NULL, arm);
	if (!strcmp(verb, "disconnect") && select && !*text)
		return do_disconnect(t, select, probe);
	pr_err("markers: \"%s%s%s\": want connect|arm SELECTOR PROBE [ARGS] or disconnect SELECTOR [PROBE]\n",
	       verb, select ? " " : "", select ?: "");
	return -EINVAL;
}

/* Those of a site that it should have, and has not. */
static void connect_missing(struct marker_transaction *t, struct site *site)
{
	struct connection *conn;

	list_for_each_entry(conn, &connections, list)
		if (!conn->done && !conn->blocked && !conn->dying &&
		    selector_matches(&conn->selector, site) && !find_twin(conn, site))
			connect_site(t, conn, site);
}

void marker_connection_retry(void)
{
	struct marker_transaction *t;
	struct connection *conn;
	struct site *site;

	if (!READ_ONCE(marker_settle_busy) && !marker_transaction_blocked())
		return;
	t = marker_transaction_begin();
	if (!t)
		return;
	marker_registry_retry();
	marker_dispatch_join_busy(&t->sites);
	list_for_each_entry(site, &t->sites, changed)
		if (site->group.refused)
			connect_missing(t, site);
	list_for_each_entry(conn, &connections, list)
		if (conn->blocked)
			marker_transaction_disconnect(t, conn);
		else if (!conn->done && guard_is_spent(&conn->guard))
			list_add_tail(&conn->leaving, &t->leaving);
	marker_transaction_end(leave_all(t));
}

int connection_execute(const char *commands)
{
	size_t size = strlen(commands) + 1;
	char *copy = kvmalloc(size, GFP_KERNEL), *rest = copy, *line, *end_of_text;
	struct marker_transaction *t;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, commands, size);
	marker_connection_retry();
	t = marker_transaction_begin();
	if (!t) {
		kvfree(copy);
		return -EAGAIN;
	}
	while (!ret && (line = strsep(&rest, "\n"))) {
		end_of_text = strchr(line, '#');
		if (end_of_text)
			*end_of_text = '\0';
		while (!ret && line)
			ret = do_command(t, strsep(&line, ";"));
		cond_resched();
	}
	ret = marker_transaction_end(ret);
	kvfree(copy);
	return ret;
}

void connection_expire(void)
{
	struct marker_transaction *t = marker_transaction_begin();
	struct connection *conn;
	int ret;

	/* When that one can be finished, this is called again. */
	if (!t)
		return;
	list_for_each_entry(conn, &connections, list)
		if (!conn->done && guard_is_spent(&conn->guard))
			list_add_tail(&conn->leaving, &t->leaving);
	ret = marker_transaction_end(leave_all(t));
	if (ret && ret != -ETIMEDOUT)
		pr_err("markers: gates of a connection past its limit stay open: %d\n", ret);
}

void connection_add_sites(struct marker_table *table)
{
	struct connection *conn;
	struct marker_transaction t;
	struct site *site;

	marker_transaction_init(&t);
	list_for_each_entry(conn, &connections, list) {
		if (conn->done || conn->dying || conn->blocked)
			continue;
		for (site = selector_next(&conn->selector, table, NULL); site;
		     site = selector_next(&conn->selector, table, site))
			if (!find_twin(conn, site))
				connect_site(&t, conn, site);
		cond_resched();
	}
	if (marker_transaction_commit(&t, 0))
		pr_err("markers: %s: its armed sites stay closed\n", module_name(table->mod));
	else
		marker_transaction_finish(&t);
}

void connection_del_sites(struct marker_table *table)
{
	unsigned int i;

	ghosts_drop(table);
	for (i = 0; i < table->nsites; i++)
		dispatch_forget(&table->sites[i]);
}

/*
 * A connection pins the module of its probe, so only the probe of a module
 * that is not being unloaded can have any here.
 */
int connection_del_probe(struct probe *probe)
{
	struct connection *conn;
	struct marker_transaction *t;
	int ret;

	do {
		t = marker_transaction_begin();
	} while (!t);
	list_for_each_entry(conn, &connections, list)
		if (conn->probe == probe)
			marker_transaction_disconnect(t, conn);
	ret = marker_transaction_end(leave_all(t));
	while (ret == -ETIMEDOUT)
		ret = marker_transaction_settle();
	return ret;
}
