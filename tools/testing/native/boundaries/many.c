// SPDX-License-Identifier: GPL-2.0-only
/* More markers than the registry has buckets for at first, and selectors within one table. */
#include "boundaries.h"
#include "registry.h"
#include "selector.h"

#define BUCKETS	1024	/* at first */

static struct module first = { .name = "first" }, last = { .name = "last" };
static struct marker_site sites[4 * BUCKETS + 1];
static char names[4 * BUCKETS + 1][16];
static const struct marker_abi abi = MARKER_ABI;

static struct marker_table *add(struct module *mod, unsigned int from, unsigned int n)
{
	const struct marker_bounds bounds = {
		sites + from, sites + from + n, NULL, NULL, NULL, NULL, &abi, &abi + 1,
	};

	return marker_registry_add_table(mod, &bounds, true) ? NULL : marker_registry_find_table(mod);
}

static bool all_are_found(unsigned int n)
{
	const struct marker *marker;
	unsigned int i, listed = 0;

	for (i = 0; i < n; i++) {
		marker = marker_registry_next_marker(names[i], NULL);
		if (!marker || strcmp(marker->name, names[i]) || marker->nsites != 1)
			return false;
	}
	for (i = 0; i < marker_registry_nbuckets; i++)
		list_for_each_entry(marker, &marker_registry_buckets[i], list)
			listed++;
	return listed == n;
}

/* Buckets while @n markers are there; 0 if not all of them are found, or one stays. */
static unsigned int buckets_of(unsigned int n)
{
	struct marker_table *table = add(&first, 0, n);
	unsigned int buckets = all_are_found(n) ? marker_registry_nbuckets : 0;

	marker_registry_del_table(table, true);
	return all_are_found(0) && marker_registry_nbuckets == BUCKETS ? buckets : 0;
}

/* The number of a table's sites that a selector picks; @number: the number behind "site:". */
static unsigned int picked(struct marker_table *table, const char *text, u32 number)
{
	struct marker_selector selector = { };
	struct marker_site_state *site = NULL;
	unsigned int n = 0;
	char words[32];

	sprintf(words, text, number);
	marker_selector_parse(&selector, words);
	while ((site = marker_selector_next(&selector, table, site)))
		n += site->table == table;
	return n;
}

static void check_tables_of_selectors(void)
{
	static const struct {
		const char *text;
		unsigned int expected;
	} cases[] = {
		{ "many/1", 0 }, { "many/3", 1 }, { "many/*", 3 }, { "many/[23]", 2 },
		{ "module:last", 3 }, { "module:first", 0 }, { "many.c:7", 3 }, { "many.c:8", 0 },
	};
	struct marker_table *tables[] = { add(&first, 0, 2), add(&last, 2, 3) };
	unsigned int i, other;
	char site[] = "site:%u";

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		check(picked(tables[1], cases[i].text, 0) == cases[i].expected,
		      "in the last table", cases[i].text);
	for (i = 0; i < 2; i++)
		for (other = 0; other < 2; other++)
			check(picked(tables[i], site, tables[other]->first_id) == (i == other),
			      "a site by its number is in its own table", "");
	marker_registry_del_table(tables[0], true);
	marker_registry_del_table(tables[1], true);
}

void check_many(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sites); i++) {
		sprintf(names[i], "many/%u", i);
		sites[i] = (struct marker_site){ .name = names[i], .format = "", .file = "many.c", .line = 7 };
	}
	mutex_lock(&marker_mutex);
	check(buckets_of(BUCKETS) == BUCKETS, "as many markers as buckets", "");
	check(buckets_of(BUCKETS + 1) == 4 * BUCKETS, "one marker more makes more buckets", "");
	check(buckets_of(4 * BUCKETS + 1) == 16 * BUCKETS, "more markers make more buckets again", "");
	check_tables_of_selectors();
	mutex_unlock(&marker_mutex);
}
