// SPDX-License-Identifier: GPL-2.0-only
/* Keep the rule that says which markers are exposed as trace events. */
#include "expose.h"
#include "marker_probe.h"

static struct marker_expose_rule *current_rule;

static char *next_word(char **rest)
{
	char *word;

	do {
		word = strsep(rest, " \t");
	} while (word && !*word);
	return word;
}

struct marker_expose_rule *marker_expose_make(const char *words)
{
	/* A selector has at least one character, and all but the first follow a blank. */
	unsigned int max = strlen(words) / 2 + 1;
	struct marker_expose_rule *rule = kvzalloc(sizeof(*rule) + max * sizeof(*rule->selectors),
						   GFP_KERNEL);
	char *rest = marker_text_copy(words), *word;

	if (!rule || !rest) {
		kvfree(rule);
		kvfree(rest);
		return ERR_PTR(-ENOMEM);
	}
	rule->words = rest;
	while ((word = next_word(&rest))) {
		if (!marker_selector_parse(&rule->selectors[rule->n++], word))
			continue;
		pr_err("expose \"%s\": not a selector\n", word);
		marker_expose_free(rule);
		return ERR_PTR(-EINVAL);
	}
	return rule;
}

void marker_expose_free(struct marker_expose_rule *rule)
{
	if (rule)
		kvfree(rule->words);
	kvfree(rule);
}

static void count_debug(const struct marker_expose_rule *rule, int n)
{
	unsigned int i;

	for (i = 0; rule && i < rule->n; i++)
		marker_selector_count_debug(&rule->selectors[i], n);
}

void marker_expose_set(struct marker_expose_rule *rule)
{
	lockdep_assert_held(&marker_mutex);
	count_debug(current_rule, -1);
	marker_expose_free(current_rule);
	current_rule = rule;
	count_debug(current_rule, 1);
}

const struct marker_expose_rule *marker_expose_get(void)
{
	lockdep_assert_held(&marker_mutex);
	return current_rule;
}

static const struct marker_site *first_entry(const struct marker *marker)
{
	return list_first_entry(&marker->sites, struct marker_site_state, peers)->entry;
}

/* Visit each marker once for each selector, more often if its sites are not adjacent. */
static void visit_selected(const struct marker_selector *selector,
			   void (*visit)(const struct marker_site *site))
{
	const struct marker *last = NULL;
	struct marker_site_state *site;

	for (site = marker_selector_next(selector, NULL, NULL); site;
	     site = marker_selector_next(selector, NULL, site)) {
		if (site->marker != last)
			visit(first_entry(site->marker));
		last = site->marker;
		cond_resched();
	}
}

/* Return the first markers, in the order of their first sites, and the number of all markers. */
static unsigned int visit_first(unsigned int max, void (*visit)(const struct marker_site *site))
{
	struct marker_site_state *site;
	unsigned int n = 0;

	for (site = marker_registry_next_site(0); site; site = marker_registry_site_after(site)) {
		if (site->entry == first_entry(site->marker) && n++ < max)
			visit(site->entry);
		cond_resched();
	}
	return n;
}

void marker_exposed_visit(void (*visit)(const struct marker_site *site))
{
	static unsigned int reported;
	unsigned int i, n = 0;

	mutex_lock(&marker_mutex);
	for (i = 0; current_rule && i < current_rule->n; i++)
		visit_selected(&current_rule->selectors[i], visit);
	if (!current_rule)
		n = visit_first(MARKER_EXPOSE_DEFAULT, visit);
	if (n > MARKER_EXPOSE_DEFAULT && n > reported) {
		pr_warn("%u markers, of which the first %u are trace events: write \"expose SELECTOR...\" into control to choose\n",
			n, MARKER_EXPOSE_DEFAULT);
		reported = n;
	}
	mutex_unlock(&marker_mutex);
}
EXPORT_SYMBOL_GPL(marker_exposed_visit);
