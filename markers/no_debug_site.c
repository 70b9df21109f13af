// SPDX-License-Identifier: GPL-2.0-only
/* No debug sites: no dynamic debug, no static keys, or no way to find calls here. */
#include <linux/seq_file.h>
#include "debug_site.h"

int marker_debug_add(const struct marker_selector *selector)
{
	lockdep_assert_held(&marker_mutex);
	return 0;
}

struct marker_table *marker_debug_add_of(struct module *mod,
					 const struct marker_selector *selector, bool quiet)
{
	return NULL;
}

bool marker_debug_matches(const struct marker_site_state *site, const char *query)
{
	return false;
}

void marker_debug_keys_close(const struct list_head *transaction)
{
}

void marker_debug_keys_undo(const struct list_head *transaction)
{
}

void marker_debug_key_open(const struct marker_site_state *site)
{
}

bool marker_debug_key_is_wrong(const struct marker_site_state *site)
{
	return false;
}

void marker_debug_free(struct marker_table *table)
{
}

void marker_debug_list(struct seq_file *m)
{
	seq_puts(m, "#no debug sites here: they need x86-64 or arm64 with CONFIG_DYNAMIC_DEBUG and CONFIG_JUMP_LABEL, without CONFIG_DYNAMIC_DEBUG_EVENTS, whose flag e does the same\n");
}

unsigned long marker_debug_missed(void)
{
	return 0;
}
