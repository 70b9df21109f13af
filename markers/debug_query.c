// SPDX-License-Identifier: GPL-2.0-only
/* Queries for debug sites; see debug_query.h. */
#include "debug_query.h"

#define VALUE_MAX	128	/* bytes of a value, with a '*' before and behind and the NUL */

enum query_key { KEY_MODULE, KEY_FUNCTION, KEY_FILE, KEY_LINE, KEY_FORMAT, KEYS };

static const char *const names[KEYS] = { "module=", "func=", "file=", "line=", "format=" };

/* One condition of a query. */
struct condition {
	enum query_key key;
	char value[VALUE_MAX];
};

static int find_key(const char *text)
{
	int key;

	for (key = 0; key < KEYS; key++)
		if (!strncmp(text, names[key], strlen(names[key])))
			return key;
	return -EINVAL;
}

/* Parse the condition at @text. Return the text behind it, or NULL if there is no condition. */
static const char *parse(const char *text, struct condition *condition)
{
	int key = find_key(text);
	size_t len;

	if (key < 0)
		return NULL;
	text += strlen(names[key]);
	/* A format may have a comma in it. */
	len = key == KEY_FORMAT ? strlen(text) : strcspn(text, ",");
	if (!len || len > VALUE_MAX - 3)
		return NULL;
	condition->key = key;
	scnprintf(condition->value, VALUE_MAX, key == KEY_FORMAT ? "*%.*s*" : "%.*s", (int)len,
		  text);
	text += len;
	return *text == ',' ? text + 1 : text;
}

/* "N", "N-M", "N-", "-M" */
static int parse_lines(const char *value, unsigned int *first, unsigned int *last)
{
	const char *dash = strchr(value, '-');
	char number[VALUE_MAX];

	*first = 0;
	*last = UINT_MAX;
	scnprintf(number, sizeof(number), "%.*s", (int)(dash ? dash - value : (long)strlen(value)),
		  value);
	if (*number && kstrtouint(number, 10, first))
		return -EINVAL;
	if (!dash)
		*last = *first;
	else if (dash[1] && kstrtouint(dash + 1, 10, last))
		return -EINVAL;
	return *number || dash[1] ? 0 : -EINVAL;
}

int marker_debug_query_check(const char *query)
{
	const char *rest = query + strlen(MARKER_DEBUG_QUERY);
	struct condition condition;
	unsigned int first, last;

	do {
		rest = parse(rest, &condition);
		if (!rest)
			return -EINVAL;
		if (condition.key == KEY_LINE && parse_lines(condition.value, &first, &last))
			return -EINVAL;
	} while (*rest);
	return 0;
}

static bool file_matches(const char *glob, const char *file)
{
	const char *slash = strrchr(file, '/');

	return glob_match(glob, file) || (slash && glob_match(glob, slash + 1));
}

static bool line_matches(const char *value, unsigned int line)
{
	unsigned int first, last;

	return !parse_lines(value, &first, &last) && line >= first && line <= last;
}

static bool matches(const struct condition *condition, const struct marker_debug_place *place)
{
	const char *value = condition->value;

	switch (condition->key) {
	case KEY_MODULE:
		return glob_match(value, place->module);
	case KEY_FUNCTION:
		return glob_match(value, place->function);
	case KEY_FILE:
		return file_matches(value, place->file);
	case KEY_LINE:
		return line_matches(value, place->line);
	default:
		return glob_match(value, place->format);
	}
}

bool marker_debug_query_matches(const char *query, const struct marker_debug_place *place)
{
	const char *rest = query + strlen(MARKER_DEBUG_QUERY);
	struct condition condition;

	do {
		rest = parse(rest, &condition);
		if (!rest || !matches(&condition, place))
			return false;
	} while (*rest);
	return true;
}
