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
#include "probes.h"

#define PREEMPT_OFF "preempt-off"

LIST_HEAD(connections);

struct transaction {
	struct list_head sites;		/* of struct site, that change */
	struct list_head fresh;		/* of struct connection */
	bool reaps;			/* some connection is dying */
};

static bool same_words(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void free_connection(struct connection *conn)
{
	if (conn->hook.link.data && conn->probe->detach)
		conn->probe->detach(conn->hook.link.data);
	module_put(conn->probe->owner);
	kfree(conn->words);
	kfree(conn);
}

/* Takes "preempt-off" out of the arguments; NULL when nothing is left. */
static const char *take_options(char *args, bool *preempt_off)
{
	unsigned int len = strlen(PREEMPT_OFF);

	*preempt_off = args && !strncmp(args, PREEMPT_OFF, len) &&
		       (!args[len] || args[len] == ' ');
	if (*preempt_off)
		args = skip_spaces(args + len);
	return args && *args ? args : NULL;
}

/* The connection without any site.  ERR_PTR(): -ENOMEM, -ENOENT, -EINVAL, or attach()'s. */
static struct connection *make_connection(const char *select, struct probe *probe, char *args)
{
	struct connection *conn = kzalloc(sizeof(*conn), GFP_KERNEL);
	char *words = kasprintf(GFP_KERNEL, "%s%c%s", select, 0, args ?: "");
	bool preempt_off = false;
	void *data = NULL;
	int ret = -ENOMEM;

	if (!conn || !words)
		goto err_free;
	ret = selector_parse(&conn->selector, words);
	if (ret) {
		pr_err("markers: \"%s\": not a selector\n", select);
		goto err_free;
	}
	ret = -ENOENT;
	if (!try_module_get(probe->owner))
		goto err_free;
	conn->args = take_options(args ? words + strlen(select) + 1 : NULL, &preempt_off);
	if (probe->attach)
		data = probe->attach(conn->args);
	if (IS_ERR(data)) {
		ret = PTR_ERR(data);
		pr_err("markers: probe %s refuses \"%s\": %d\n", probe->name,
		       conn->args ?: "", ret);
		goto err_put;
	}
	conn->words = words;
	conn->probe = probe;
	hook_init(&conn->hook, probe->func, data, preempt_off);
	return conn;

err_put:
	module_put(probe->owner);
err_free:
	kfree(words);
	kfree(conn);
	return ERR_PTR(ret);
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
	ret = probe->check ? probe->check(conn->hook.link.data, entry) : 0;
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
		struct connection *other = container_of(site->next->hooks[i],
							struct connection, hook);

		if (other->probe == conn->probe && same_words(other->args, conn->args) &&
		    other->hook.preempt_off == conn->hook.preempt_off)
			return other;
	}
	return NULL;
}

static int connect_site(struct transaction *t, struct connection *conn, struct site *site)
{
	int ret = check_site(conn, site);

	if (ret)
		return ret;
	if (find_twin(conn, site)) {
		pr_err("markers: %s (%s:%u) has probe %s already\n", site->entry->name,
		       site->entry->file, site->entry->line, conn->probe->name);
		return -EEXIST;
	}
	return dispatch_add(&t->sites, site, &conn->hook);
}

/* An armed connection may be there without any site; only one of a kind. */
static bool is_armed(const struct transaction *t, const struct connection *conn)
{
	const struct list_head *lists[] = { &connections, &t->fresh };
	struct connection *other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(other, lists[i], list)
			if (!other->dying && other->probe == conn->probe &&
			    !strcmp(other->selector.text, conn->selector.text) &&
			    same_words(other->args, conn->args))
				return true;
	return false;
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
	conn = make_connection(select, probe, args);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	for (site = selector_next(&conn->selector, NULL); site && !ret;
	     site = selector_next(&conn->selector, site), n++)
		ret = connect_site(t, conn, site);
	if (!ret && !n && !arm) {
		pr_err("markers: no site matches \"%s\"; \"arm\" waits for one\n", select);
		ret = -ENOENT;
	}
	if (!ret && !n && is_armed(t, conn))
		ret = -EEXIST;
	/* After an error too: sites may wish for it until the abort. */
	list_add_tail(&conn->list, &t->fresh);
	return ret;
}

static int disconnect_one(struct transaction *t, struct connection *conn)
{
	struct site *site;
	int ret;

	for (site = selector_next(&conn->selector, NULL); site;
	     site = selector_next(&conn->selector, site)) {
		if (!dispatch_has(site, &conn->hook))
			continue;
		ret = dispatch_del(&t->sites, site, &conn->hook);
		if (ret)
			return ret;
	}
	conn->dying = true;
	t->reaps = true;
	return 0;
}

static int do_disconnect(struct transaction *t, const char *select, const char *name)
{
	struct list_head *lists[] = { &connections, &t->fresh };
	struct connection *conn;
	unsigned int i, n = 0;
	int ret;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(conn, lists[i], list) {
			if (conn->dying || (name && strcmp(name, conn->probe->name)) ||
			    (strcmp(select, conn->selector.text) &&
			     !glob_match(select, conn->selector.text)))
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

/* The next word of @text, which is moved behind it, or NULL. */
static char *next_word(char **text)
{
	char *word;

	*text = skip_spaces(*text);
	word = strsep(text, " \t");
	if (!*text)
		*text = word + strlen(word);
	return *word ? word : NULL;
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
		free_connection(conn);
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

void connection_add_sites(struct marker_table *table)
{
	struct connection *conn;
	struct transaction t;
	unsigned int i;

	begin(&t);
	for (i = 0; i < table->nsites; i++)
		list_for_each_entry(conn, &connections, list)
			if (selector_matches(&conn->selector, &table->sites[i]) &&
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
void connection_del_probe(struct probe *probe)
{
	struct connection *conn;
	struct transaction t;

	begin(&t);
	list_for_each_entry(conn, &connections, list)
		if (conn->probe == probe)
			disconnect_one(&t, conn);
	finish(&t, 0);
}
