// SPDX-License-Identifier: GPL-2.0-only
/* Picks sites by name, function, module, source line or number. */
#include "debug_query.h"
#include "debug_site.h"
#include "marker_probe.h"
#include "name.h"
#include "selector.h"

#define FUNCTION_MAX	256	/* bytes of a function's name */

static int parse_number(const char *text, u32 *number)
{
	return *text < '0' || *text > '9' || kstrtou32(text, 10, number) ? -EINVAL : 0;
}

/* NAME@FUNCTION */
static int parse_function(struct marker_selector *selector, const char *at)
{
	selector->kind = SELECT_FUNCTION;
	selector->wordlen = at - selector->text;
	selector->function = at + 1;
	return selector->wordlen && at[1] && !strpbrk(selector->text, "*?[\\") &&
	       !strchr(at + 1, '@') ? 0 : -EINVAL;
}

int marker_selector_parse(struct marker_selector *selector, const char *text)
{
	const char *colon = strrchr(text, ':');

	selector->text = text;
	selector->word = text;
	selector->wordlen = strlen(text);
	if (!*text)
		return -EINVAL;
	if (!strncmp(text, MARKER_DEBUG_QUERY, strlen(MARKER_DEBUG_QUERY))) {
		selector->kind = SELECT_DEBUG;
		return marker_debug_query_check(text);
	}
	if (!colon && strchr(text, '@'))
		return parse_function(selector, strchr(text, '@'));
	if (!colon) {
		selector->kind = strpbrk(text, "*?[\\") ? SELECT_GLOB : SELECT_NAME;
		return 0;
	}
	if (!strncmp(text, "module:", 7)) {
		selector->kind = SELECT_MODULE;
		selector->word = text + 7;
		return text[7] ? 0 : -EINVAL;
	}
	if (!strncmp(text, "site:", 5)) {
		selector->kind = SELECT_SITE;
		return parse_number(text + 5, &selector->number);
	}
	selector->kind = SELECT_LINE;
	selector->wordlen = colon - text;
	return selector->wordlen ? parse_number(colon + 1, &selector->number) : -EINVAL;
}

/* True if @file is, or ends in a '/' and, the file that was asked for. */
static bool file_matches(const struct marker_selector *selector, const char *file)
{
	unsigned int len = strlen(file), want = selector->wordlen;

	return len >= want && !memcmp(file + len - want, selector->word, want) &&
	       (len == want || file[len - want - 1] == '/');
}

/* True if @code is in @function, or in a part or a clone of it, as in "name.isra.0". */
static bool is_in(const void *code, const char *function)
{
	size_t len = strlen(function);
	char name[FUNCTION_MAX];

	marker_function_name(code, name, sizeof(name));
	return len < sizeof(name) && !strncmp(name, function, len) &&
	       (!name[len] || name[len] == '.' || name[len] == ' ');
}

/* True if its code is a copy of the site, and not something beside it. */
static bool is_copy(const struct marker_gate_state *gate)
{
	return !gate->gone && gate->code && gate->kind != MARKER_GATE_KEY &&
	       gate->kind != MARKER_GATE_SWITCH;
}

static bool has_copy_in(const struct marker_site_state *site, const char *function)
{
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		if (is_copy(&site->gates[i]) && is_in(site->gates[i].code, function))
			return true;
	return false;
}

/* True if @name is the NAME of NAME@FUNCTION. */
static bool has_name(const struct marker_selector *selector, const char *name)
{
	const char *part = marker_name_compared(name, selector->word);

	return !strncmp(part, selector->word, selector->wordlen) && !part[selector->wordlen];
}

bool marker_selector_leaves_out(const struct marker_selector *selector,
				const struct marker_site_state *site,
				const struct marker_gate_state *gate)
{
	return selector->kind == SELECT_FUNCTION && has_name(selector, site->entry->name) &&
	       is_copy(gate) && !is_in(gate->code, selector->function);
}

bool marker_selector_may_be_debug(const struct marker_selector *selector)
{
	return selector->kind == SELECT_DEBUG || marker_name_is_debug(selector->also) ||
	       ((selector->kind == SELECT_NAME || selector->kind == SELECT_GLOB) &&
		marker_name_is_debug(selector->text));
}

static unsigned int want_debug;

void marker_selector_count_debug(const struct marker_selector *selector, int n)
{
	lockdep_assert_held(&marker_mutex);
	if (marker_selector_may_be_debug(selector))
		WRITE_ONCE(want_debug, want_debug + n);
}

bool marker_selector_wants_debug(void)
{
	return READ_ONCE(want_debug);
}

/* Only "debug:", "debug_..." and "site:" pick debug sites, and "debug:" picks no others. */
static bool is_out_of_sight(const struct marker_selector *selector,
			    const struct marker_site_state *site)
{
	return marker_site_is_debug(site) ? selector->kind != SELECT_SITE &&
					    !marker_selector_may_be_debug(selector) :
					    selector->kind == SELECT_DEBUG;
}

bool marker_selector_matches(const struct marker_selector *selector,
			     const struct marker_site_state *site)
{
	if (selector->also && marker_name_is(site->entry->name, selector->also))
		return true;
	if (is_out_of_sight(selector, site))
		return false;
	switch (selector->kind) {
	case SELECT_NAME:
		return marker_name_is(site->entry->name, selector->word);
	case SELECT_GLOB:
		return marker_name_matches(site->entry->name, selector->word);
	case SELECT_MODULE:
		return glob_match(selector->word, module_name(site->table->mod));
	case SELECT_LINE:
		return selector->number == site->entry->line &&
		       file_matches(selector, site->entry->file);
	case SELECT_SITE:
		return selector->number == site->id;
	case SELECT_FUNCTION:
		return has_name(selector, site->entry->name) &&
		       has_copy_in(site, selector->function);
	case SELECT_DEBUG:
		return marker_debug_matches(site, selector->text);
	}
	return false;
}

/* Return the first site of @marker, or its first site in @table, if that is not NULL. */
static struct marker_site_state *first_of_marker(const struct marker *marker,
						 const struct marker_table *table)
{
	struct marker_site_state *site;

	if (!table)
		return list_first_entry(&marker->sites, struct marker_site_state, peers);
	/* The sites of the last table are the last. */
	list_for_each_entry_reverse(site, &marker->sites, peers)
		if (site->table != table)
			break;
	return list_is_last(&site->peers, &marker->sites) ? NULL : list_next_entry(site, peers);
}

/* Return the first site of the markers after @marker (NULL: of all) that are called @word. */
static struct marker_site_state *first_of_word(const char *word, const struct marker *marker,
					       const struct marker_table *table)
{
	struct marker_site_state *site = NULL;

	while (!site && (marker = marker_registry_next_marker(word, marker)))
		site = first_of_marker(marker, table);
	return site;
}

/* First the sites of the markers that are called @word, then the others that are called @also. */
static struct marker_site_state *next_of_name(const struct marker_selector *selector,
					      const struct marker_table *table,
					      struct marker_site_state *site)
{
	const char *word = selector->word, *also = selector->also;

	if (site && !list_is_last(&site->peers, &site->marker->sites))
		return list_next_entry(site, peers);
	if (!site || marker_name_is(site->entry->name, word)) {
		site = first_of_word(word, site ? site->marker : NULL, table);
		if (site || !also)
			return site;
	}
	do {
		site = first_of_word(also, site ? site->marker : NULL, table);
	} while (site && marker_name_is(site->entry->name, word));
	return site;
}

static struct marker_site_state *find_site(u32 id, const struct marker_table *table)
{
	struct marker_site_state *site = marker_registry_find_site(id);

	return site && (!table || site->table == table) ? site : NULL;
}

static struct marker_site_state *site_after(const struct marker_table *table,
					    struct marker_site_state *site)
{
	if (!site)
		return table ? table->sites : marker_registry_next_site(0);
	site = marker_registry_site_after(site);
	return site && (!table || site->table == table) ? site : NULL;
}

static struct marker_site_state *next(const struct marker_selector *selector,
				      const struct marker_table *table,
				      struct marker_site_state *site)
{
	if (selector->kind == SELECT_NAME)
		return next_of_name(selector, table, site);
	if (selector->kind == SELECT_SITE && !selector->also)
		return site ? NULL : find_site(selector->number, table);
	do {
		site = site_after(table, site);
	} while (site && !marker_selector_matches(selector, site));
	return site;
}

struct marker_site_state *marker_selector_next(const struct marker_selector *selector,
					       const struct marker_table *table,
					       struct marker_site_state *site)
{
	lockdep_assert_held(&marker_mutex);
	do {
		site = next(selector, table, site);
	} while (site && site->refused);
	return site;
}

const struct marker_site_state *marker_selector_refused(const struct marker_selector *selector)
{
	const struct marker_site_state *site;

	lockdep_assert_held(&marker_mutex);
	for (site = marker_registry_next_site(0); site; site = marker_registry_site_after(site))
		if (site->refused && marker_selector_matches(selector, site))
			break;
	return site;
}
