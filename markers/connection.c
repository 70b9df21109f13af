// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections and the commands that make and break them.
 *
 * A transaction collects wishes: what each site shall have (site->next, in
 * dispatch.c), which connections are new and which are dying.  Then it is
 * committed as a whole, or dropped as a whole.
 *
 * Locks: markers_mutex, taken by connection_execute().
 */
#include "connection.h"
#include "ghosts.h"
#include "probes.h"
#include "terms.h"

LIST_HEAD(connections);

struct transaction {
	struct list_head sites;		/* of struct site, that change */
	struct list_head fresh;		/* of struct connection */
	bool reaps;			/* some connection is dying */
};

unsigned int connection_nsites(const struct connection *conn)
{
	struct binding *b;
	unsigned int n = 0;

	list_for_each_entry(b, &conn->hooks, list)
		n += b->hook.nsites;
	return n;
}

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

static int connect_site(struct transaction *t, struct connection *conn, struct site *site)
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

/* An armed connection may be there without any site; only one of a kind. */
static bool is_armed(const struct transaction *t, const struct connection *conn)
{
	const struct list_head *lists[] = { &connections, &t->fresh };
	struct connection *other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(other, lists[i], list)
			if (!other->dying && !strcmp(other->selector.text, conn->selector.text) &&
			    terms_equal(other, conn))
				return true;
	return false;
}

/* Whether there is a site of each marker that the connection needs. */
static int check_presence(struct connection *conn)
{
	const char *also = conn->selector.also, *missing = NULL;

	if (also && !registry_find_marker(also))
		missing = also;
	conn->selector.also = NULL;
	if (!selector_next(&conn->selector, NULL))
		missing = conn->selector.text;
	conn->selector.also = also;
	if (!missing)
		return 0;
	pr_err("markers: no site matches \"%s\"; \"arm\" waits for one\n", missing);
	return -ENOENT;
}

static int do_connect(struct transaction *t, const char *select, const char *name,
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
	for (site = selector_next(&conn->selector, NULL); site && !ret;
	     site = selector_next(&conn->selector, site), n++)
		ret = connect_site(t, conn, site);
	if (!ret && !arm)
		ret = check_presence(conn);
	if (!ret && !n && is_armed(t, conn))
		ret = -EEXIST;
	/* After an error too: sites may wish for it until the abort. */
	list_add_tail(&conn->list, &t->fresh);
	return ret;
}

/* A site has one hook of @conn at most. */
static int leave_site(struct transaction *t, const struct connection *conn, struct site *site)
{
	unsigned int i;

	for (i = 0; site->next && i < site->next->nhooks; i++)
		if (connection_of(site->next->hooks[i]) == conn)
			return dispatch_del(&t->sites, site, site->next->hooks[i]);
	return 0;
}

/* It leaves its sites, but stays. */
static int leave_sites(struct transaction *t, struct connection *conn)
{
	struct site *site;
	int ret;

	for (site = selector_next(&conn->selector, NULL); site;
	     site = selector_next(&conn->selector, site)) {
		ret = leave_site(t, conn, site);
		if (ret)
			return ret;
	}
	return 0;
}

static int disconnect_one(struct transaction *t, struct connection *conn)
{
	int ret = leave_sites(t, conn);

	if (ret)
		return ret;
	conn->dying = true;
	t->reaps = true;
	return 0;
}

/* Whether "disconnect SELECT NAME" means it; "id:N" is the one of that number. */
static bool is_meant(const struct connection *conn, const char *select, const char *name)
{
	unsigned int id;

	if (conn->dying || (name && strcmp(name, conn->probe->name)))
		return false;
	if (!strncmp(select, "id:", 3) && !kstrtouint(select + 3, 10, &id))
		return id == conn->id;
	return !strcmp(select, conn->selector.text) || glob_match(select, conn->selector.text);
}

static int do_disconnect(struct transaction *t, const char *select, const char *name)
{
	struct list_head *lists[] = { &connections, &t->fresh };
	struct connection *conn;
	unsigned int i, n = 0;
	int ret;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(conn, lists[i], list) {
			if (!is_meant(conn, select, name))
				continue;
			ret = disconnect_one(t, conn);
			if (ret)
				return ret;
			n++;
		}
	if (n)
		return 0;
	pr_err("markers: nothing is connected as \"%s%s%s\"; see control\n", select,
	       name ? " " : "", name ?: "");
	return -ENOENT;
}

static int do_command(struct transaction *t, char *text)
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

static int finish(struct transaction *t, int ret)
{
	struct connection *conn;

	if (!ret)
		ret = dispatch_commit(&t->sites);
	else
		dispatch_abort(&t->sites);
	if (ret) {
		reap(&t->fresh, true);
		list_for_each_entry(conn, &connections, list)
			conn->dying = false;
		return ret;
	}
	list_splice_tail(&t->fresh, &connections);
	if (t->reaps)
		reap(&connections, false);
	return 0;
}

static void begin(struct transaction *t)
{
	INIT_LIST_HEAD(&t->sites);
	INIT_LIST_HEAD(&t->fresh);
	t->reaps = false;
}

int connection_execute(const char *commands)
{
	size_t size = strlen(commands) + 1;
	char *copy = kvmalloc(size, GFP_KERNEL), *rest = copy, *line, *end;
	struct transaction t;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, commands, size);
	begin(&t);
	mutex_lock(&markers_mutex);
	while (!ret && (line = strsep(&rest, "\n"))) {
		end = strchr(line, '#');
		if (end)
			*end = '\0';
		while (!ret && line)
			ret = do_command(&t, strsep(&line, ";"));
	}
	ret = finish(&t, ret);
	mutex_unlock(&markers_mutex);
	kvfree(copy);
	return ret;
}

void connection_expire(void)
{
	struct connection *conn;
	struct transaction t;
	int ret = 0;

	begin(&t);
	mutex_lock(&markers_mutex);
	list_for_each_entry(conn, &connections, list)
		if (!ret && !conn->done && guard_is_spent(&conn->guard))
			ret = leave_sites(&t, conn);
	ret = finish(&t, ret);
	list_for_each_entry(conn, &connections, list)
		conn->done |= !ret && guard_is_spent(&conn->guard) && !connection_nsites(conn);
	mutex_unlock(&markers_mutex);
	if (ret)
		pr_err("markers: gates of a connection past its limit stay open: %d\n", ret);
}

void connection_add_sites(struct marker_table *table)
{
	struct connection *conn;
	struct transaction t;
	unsigned int i;

	begin(&t);
	for (i = 0; i < table->nsites; i++)
		list_for_each_entry(conn, &connections, list)
			if (!conn->done &&
			    selector_matches(&conn->selector, &table->sites[i]) &&
			    !find_twin(conn, &table->sites[i]))
				connect_site(&t, conn, &table->sites[i]);
	if (finish(&t, 0))
		pr_err("markers: %s: its armed sites stay closed\n", module_name(table->mod));
}

void connection_del_sites(struct marker_table *table, bool running)
{
	struct transaction t;
	unsigned int i, k;

	begin(&t);
	if (!running)
		ghosts_drop(table);
	for (i = 0; i < table->nsites; i++) {
		struct site *site = &table->sites[i];

		if (!running)
			dispatch_forget(site);
		for (k = site->set ? site->set->nhooks : 0; k; k--)
			dispatch_del(&t.sites, site, site->set->hooks[k - 1]);
	}
	finish(&t, 0);
}

/*
 * A connection pins the module of its probe, so only the probe of a module
 * that is not being unloaded can have any here.
 */
int connection_del_probe(struct probe *probe)
{
	struct connection *conn;
	struct transaction t;

	begin(&t);
	list_for_each_entry(conn, &connections, list)
		if (conn->probe == probe)
			disconnect_one(&t, conn);
	return finish(&t, 0);
}
