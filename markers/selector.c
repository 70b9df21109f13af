// SPDX-License-Identifier: GPL-2.0-only
/* Picks sites by name, module, source line or number. */
#include "selector.h"

static int parse_number(const char *text, u32 *number)
{
	return *text < '0' || *text > '9' || kstrtou32(text, 10, number) ? -EINVAL : 0;
}

int selector_parse(struct selector *selector, const char *text)
{
	const char *colon = strrchr(text, ':');

	selector->text = text;
	selector->word = text;
	selector->wordlen = strlen(text);
	if (!*text)
		return -EINVAL;
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

/* Whether @file is, or ends in a '/' and, the file that was asked for. */
static bool file_matches(const struct selector *selector, const char *file)
{
	unsigned int len = strlen(file), want = selector->wordlen;

	return len >= want && !memcmp(file + len - want, selector->word, want) &&
	       (len == want || file[len - want - 1] == '/');
}

bool selector_matches(const struct selector *selector, const struct site *site)
{
	if (selector->also && !strcmp(selector->also, site->entry->name))
		return true;
	switch (selector->kind) {
	case SELECT_NAME:
		return !strcmp(selector->word, site->entry->name);
	case SELECT_GLOB:
		return glob_match(selector->word, site->entry->name);
	case SELECT_MODULE:
		return glob_match(selector->word, module_name(site->table->mod));
	case SELECT_LINE:
		return selector->number == site->entry->line &&
		       file_matches(selector, site->entry->file);
	case SELECT_SITE:
		return selector->number == site->id;
	}
	return false;
}

static struct site *next_of_marker(const struct selector *selector, struct site *site)
{
	struct marker *marker;

	if (site)
		return list_is_last(&site->peers, &site->marker->sites) ? NULL :
		       list_next_entry(site, peers);
	marker = registry_find_marker(selector->word);
	return marker ? list_first_entry(&marker->sites, struct site, peers) : NULL;
}

struct site *selector_next(const struct selector *selector, struct site *site)
{
	if (selector->kind == SELECT_NAME && !selector->also)
		return next_of_marker(selector, site);
	if (selector->kind == SELECT_SITE && !selector->also)
		return site ? NULL : registry_find_site(selector->number);
	do {
		site = registry_next_site(site ? site->id + 1 : 0);
	} while (site && !selector_matches(selector, site));
	return site;
}
