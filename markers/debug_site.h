/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug sites: the pr_debug(), dev_dbg() and netdev_dbg() of the kernel and its modules, as sites
 * of markers. A debug site joins the registry when it is first selected, in a table of its own for
 * each module and selection, and stays until its module goes.
 *
 * Locks: everything under marker_mutex, but marker_debug_site_of().
 */
#ifndef MARKERS_DEBUG_SITE_H
#define MARKERS_DEBUG_SITE_H

#include "env.h"
#include "table.h"

struct marker_debug_site;
struct marker_selector;
struct seq_file;

/* The first characters of the name of each debug site. */
#define MARKER_DEBUG_PREFIX	"debug_"

/* True if the site is a debug site. */
static inline bool marker_site_is_debug(const struct marker_site_state *site)
{
	return site->entry->kind == MARKER_GATE_DEBUG;
}

/**
 * marker_debug_add - register the debug sites that a selector selects
 * @selector: the selector
 *
 * Searches the kernel and all loaded modules.
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: 0, also if none is selected; -EOPNOTSUPP: none of the selected sites can be
 *	   recorded, and the log says why; -ENOMEM.
 */
int marker_debug_add(const struct marker_selector *selector);

/**
 * marker_debug_add_of - register the selected debug sites of one module
 * @mod: the module, which must not go meanwhile; NULL: the kernel
 * @selector: the selector
 * @quiet: none of its code runs yet
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: the table of the sites that were not registered before; NULL: none.
 */
struct marker_table *marker_debug_add_of(struct module *mod,
					 const struct marker_selector *selector, bool quiet);

/* True if a query of a selector asks for the site, which is a debug site. */
bool marker_debug_matches(const struct marker_site_state *site, const char *query);

/*
 * The keys of the sites of a transaction.  A key is enabled when the calls of its site are
 * diverted, and disabled before they are put back; never while text is locked.
 */
void marker_debug_keys_close(const struct list_head *transaction);
void marker_debug_keys_undo(const struct list_head *transaction);
void marker_debug_key_open(const struct marker_site_state *site);

/* True if the key of a debug site is not as its probes require. */
bool marker_debug_key_is_wrong(const struct marker_site_state *site);

/* The lines of the file `debug_sites`.  May sleep; takes marker_mutex. */
void marker_debug_list(struct seq_file *m);

/* Calls of debug sites that could not be recorded, and were printed. */
unsigned long marker_debug_missed(void);

/* Free the additional data of @table, when no CPU uses it any more. May sleep. */
void marker_debug_free(struct marker_table *table);

#endif
