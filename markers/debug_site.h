/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug sites: the pr_debug(), dev_dbg() and netdev_dbg() of the kernel and its modules, as
 * sites of markers.  They join the registry when they are selected first, in a table of their
 * own for each module and selection, and stay until their module goes.
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

/* Whether a table or site is one of debug sites. */
static inline bool marker_site_is_debug(const struct marker_site_state *site)
{
	return site->entry->kind == MARKER_GATE_DEBUG;
}

/**
 * marker_debug_add - make the debug sites known that a selector selects
 * @selector: the selector
 *
 * Of the kernel and of all modules that are loaded.
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: 0, also if none is selected; -EOPNOTSUPP: none of those that are selected can be
 *	   recorded, and the log says why; -ENOMEM.
 */
int marker_debug_add(const struct marker_selector *selector);

/**
 * marker_debug_add_of - the same for one module
 * @mod: the module, which stays meanwhile; NULL: the kernel
 * @selector: the selector
 * @quiet: none of its code runs yet
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: the table of the sites that were not known before; NULL: there are none.
 */
struct marker_table *marker_debug_add_of(struct module *mod,
					 const struct marker_selector *selector, bool quiet);

/* Whether a query of a selector asks for the site, which is a debug site. */
bool marker_debug_matches(const struct marker_site_state *site, const char *query);

/*
 * The keys of the sites of a transaction.  A key is enabled when the calls of its site are
 * diverted, and disabled before they are put back; never while text is locked.
 */
void marker_debug_keys_close(const struct list_head *transaction);
void marker_debug_keys_undo(const struct list_head *transaction);
void marker_debug_key_open(const struct marker_site_state *site);

/* Whether the key of a debug site is not as its probes require. */
bool marker_debug_key_is_wrong(const struct marker_site_state *site);

/* The lines of the file `debug_sites`.  May sleep; takes marker_mutex. */
void marker_debug_list(struct seq_file *m);

/* Calls of debug sites that had another format than was found, and were printed. */
unsigned long marker_debug_missed(void);

/* Frees what the table has beside itself, when no CPU is in it any more.  May sleep. */
void marker_debug_free(struct marker_table *table);

#endif
