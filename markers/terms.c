// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection as it was asked for: its words taken apart, and its probe
 * attached.  Not here: the sites it gets.
 *
 * Locks: markers_mutex.
 */
#include "probes.h"
#include "terms.h"

static unsigned int last_id;

static bool same_words(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool terms_equal(const struct connection *a, const struct connection *b)
{
	return a->probe == b->probe && same_words(a->args, b->args) &&
	       a->preempt_off == b->preempt_off &&
	       a->guard.limit == b->guard.limit &&
	       same_words(a->guard.filter.words, b->guard.filter.words);
}

void connection_free(struct connection *conn)
{
	struct binding *b, *tmp;

	list_for_each_entry_safe(b, tmp, &conn->hooks, list)
		kfree(b);
	if (conn->data && conn->probe->detach)
		conn->probe->detach(conn->data);
	module_put(conn->probe->owner);
	filter_free(&conn->guard.filter);
	kfree(conn->words);
	kfree(conn);
}

char *next_word(char **text)
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

/* Takes the options out of the arguments; what is left is the probe's. */
static int take_options(struct connection *conn, char *args)
{
	char *condition = take_condition(args), *word;

	for (;;) {
		args = strim(skip_spaces(args));
		if (is_word(args, "preempt-off")) {
			conn->preempt_off = true;
			next_word(&args);
		} else if (!strncmp(args, "first=", 6)) {
			word = next_word(&args) + 6;
			if (kstrtoul(word, 0, &conn->guard.limit) || !conn->guard.limit) {
				pr_err("markers: first=%s: want a number of events\n", word);
				return -EINVAL;
			}
		} else {
			break;
		}
	}
	conn->args = *args ? args : NULL;
	return filter_parse(&conn->guard.filter, condition);
}

static int attach_probe(struct connection *conn)
{
	struct probe *probe = conn->probe;
	void *data = probe->attach ? probe->attach(conn->args) : NULL;

	if (IS_ERR(data)) {
		pr_err("markers: probe %s refuses \"%s\": %ld\n", probe->name,
		       conn->args ?: "", PTR_ERR(data));
		return PTR_ERR(data);
	}
	conn->data = data;
	if (probe->also)
		conn->selector.also = probe->also(data);
	return 0;
}

struct connection *connection_make(const char *select, struct probe *probe, char *args)
{
	struct connection *conn = kzalloc(sizeof(*conn), GFP_KERNEL);
	char *words = kasprintf(GFP_KERNEL, "%s%c%s", select, 0, args ?: "");
	int ret = -ENOMEM;
	char *rest;

	if (!conn || !words)
		goto err_free;
	/* Tabs separate the columns of the tables. */
	rest = words + strlen(select) + 1;
	while (strchr(rest, '\t'))
		*strchr(rest, '\t') = ' ';
	ret = selector_parse(&conn->selector, words);
	if (ret) {
		pr_err("markers: \"%s\": not a selector\n", select);
		goto err_free;
	}
	ret = -ENOENT;
	if (!try_module_get(probe->owner))
		goto err_free;
	INIT_LIST_HEAD(&conn->hooks);
	INIT_LIST_HEAD(&conn->leaving);
	conn->words = words;
	conn->probe = probe;
	ret = take_options(conn, rest);
	if (ret)
		goto err_put;
	ret = attach_probe(conn);
	if (ret)
		goto err_filter;
	conn->id = ++last_id;
	return conn;

err_filter:
	filter_free(&conn->guard.filter);
err_put:
	module_put(probe->owner);
err_free:
	kfree(words);
	kfree(conn);
	return ERR_PTR(ret);
}
