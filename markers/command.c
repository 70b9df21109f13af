// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands: their words, and the connections that they make.
 *
 * Locks: see transaction.h.
 */
#include "command.h"
#include "connect.h"
#include "debug_site.h"
#include "probe.h"

static unsigned int last_id;

static char *next_word(char **text)
{
	char *word;

	*text = skip_spaces(*text);
	word = strsep(text, " \t");
	if (!*text)
		*text = word + strlen(word);
	return *word ? word : NULL;
}

static bool is_word(const char *text, const char *word)
{
	unsigned int len = strlen(word);

	return !strncmp(text, word, len) && (!text[len] || text[len] == ' ');
}

/* Cuts "if CONDITION" off the end of @args; the condition, or NULL. */
static char *take_condition(char *args)
{
	char *s;

	for (s = args; *s; s++)
		if ((s == args || s[-1] == ' ') && is_word(s, "if")) {
			*s = '\0';
			return skip_spaces(s + 2);
		}
	return NULL;
}

/* Remove the options from the arguments; the rest belongs to the probe. */
static int take_options(struct marker_connection *conn, char *args)
{
	char *condition = take_condition(args), *word;

	args = strim(args);
	while (!strncmp(args, "first=", 6)) {
		word = next_word(&args) + 6;
		if (kstrtoul(word, 0, &conn->guard.limit) || !conn->guard.limit) {
			pr_err("first=%s: want a number of events\n", word);
			return -EINVAL;
		}
		args = skip_spaces(args);
	}
	conn->args = *args ? args : NULL;
	return marker_filter_parse(&conn->guard.filter, condition);
}

static int attach_probe(struct marker_connection *conn)
{
	struct marker_probe *probe = conn->probe;
	void *data = probe->attach ? probe->attach(conn->args) : NULL;

	if (IS_ERR(data)) {
		pr_err("probe %s refuses \"%s\": %pe\n", probe->name, conn->args ?: "", data);
		return PTR_ERR(data);
	}
	conn->data = data;
	if (probe->also)
		conn->selector.also = probe->also(data);
	return 0;
}

static struct marker_connection *make_connection(const char *select, struct marker_probe *probe,
						 const char *args)
{
	struct marker_connection *conn = kzalloc(sizeof(*conn), GFP_KERNEL);
	size_t len = strlen(select) + 1, more = args ? strlen(args) : 0;
	char *words = kvmalloc(len + more + 1, GFP_KERNEL), *rest, *tab;
	int ret = -ENOMEM;

	if (!conn || !words)
		goto err_free;
	memcpy(words, select, len);
	rest = words + len;
	memcpy(rest, args ?: "", more + 1);
	/* Words are separated by blanks. */
	for (tab = strchr(rest, '\t'); tab; tab = strchr(tab, '\t'))
		*tab = ' ';
	ret = marker_selector_parse(&conn->selector, words);
	if (ret) {
		pr_err("\"%s\": not a selector\n", select);
		goto err_free;
	}
	ret = -ENOENT;
	if (!try_module_get(probe->owner))
		goto err_free;
	INIT_LIST_HEAD(&conn->hooks);
	INIT_LIST_HEAD(&conn->leaving);
	conn->words = words;
	conn->probe = probe;
	conn->guard.leaf = probe->leaf;
	ret = take_options(conn, rest);
	if (ret)
		goto err_put;
	ret = attach_probe(conn);
	if (ret)
		goto err_filter;
	conn->id = ++last_id;
	return conn;

err_filter:
	marker_filter_free(&conn->guard.filter);
err_put:
	module_put(probe->owner);
err_free:
	kvfree(words);
	kfree(conn);
	return ERR_PTR(ret);
}

static int do_connect(struct marker_transaction *t, const char *select, const char *name,
		      char *args, bool arm)
{
	struct marker_probe *probe = marker_probe_find(name);
	struct marker_connection *conn;

	if (!probe) {
		pr_err("no probe \"%s\"\n", name);
		return -ENOENT;
	}
	conn = make_connection(select, probe, args);
	return IS_ERR(conn) ? PTR_ERR(conn) : marker_connect(t, conn, arm);
}

int marker_probe_connect(struct marker_probe *probe, const char *marker, const char *args)
{
	struct marker_transaction *t = marker_transaction_begin();
	struct marker_connection *conn;
	int ret;

	if (!t)
		return -EAGAIN;
	conn = make_connection(marker, probe, args);
	ret = PTR_ERR_OR_ZERO(conn);
	if (!ret && marker_connection_find_equal(conn)) {
		marker_connection_free(conn);
		return marker_transaction_end(0);
	}
	if (!ret)
		ret = marker_connect(t, conn, true);
	/* The sites may come later; but if some exist now, at least one of them must open. */
	if (!ret)
		conn->needs_site = !list_empty(&conn->hooks);
	ret = marker_transaction_end(ret);
	/* All commands were executed, but some other probe still runs. */
	return ret == -ETIMEDOUT ? 0 : ret;
}
EXPORT_SYMBOL_GPL(marker_probe_connect);

static int do_expose(struct marker_transaction *t, const char *words)
{
	struct marker_expose_rule *rule = marker_expose_make(words);
	unsigned int i;
	int ret = 0;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	for (i = 0; i < rule->n && !ret; i++)
		ret = marker_debug_add(&rule->selectors[i]);
	marker_transaction_expose(t, rule);
	return ret;
}

static int do_command(struct marker_transaction *t, char *text)
{
	char *verb = next_word(&text), *select, *probe;
	bool arm, is_connect;

	if (!verb)
		return 0;
	if (!strcmp(verb, "expose"))
		return do_expose(t, text);
	arm = !strcmp(verb, "arm");
	is_connect = arm || !strcmp(verb, "connect");
	select = next_word(&text);
	probe = next_word(&text);
	text = strim(text);
	if (is_connect && select && probe)
		return do_connect(t, select, probe, *text ? text : NULL, arm);
	if (!strcmp(verb, "disconnect") && select && !*text)
		return marker_disconnect(t, select, probe);
	pr_err("\"%s%s%s\": want connect|arm SELECTOR PROBE [ARGS], disconnect SELECTOR [PROBE] or expose [SELECTOR...]\n",
	       verb, select ? " " : "", select ?: "");
	return -EINVAL;
}

int marker_command_execute(const char *commands)
{
	char *copy = marker_text_copy(commands), *rest = copy, *line, *end_of_text;
	struct marker_transaction *t;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	marker_connect_retry();
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
