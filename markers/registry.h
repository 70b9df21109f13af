/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section tables in, markers by name and sites by number out.
 *
 * A marker is a name, SYSTEM/NAME; its sites may lie in several modules, if their files define
 * the same MARK_SYSTEM.  A word without a '/' stands for the markers of that NAME in all systems.
 *
 * Locks: everything under marker_mutex, but marker_registry_find_table().
 */
#ifndef MARKERS_REGISTRY_H
#define MARKERS_REGISTRY_H

#include "env.h"
#include "table_text.h"
#include "table.h"

struct marker {
	struct list_head list;		/* list of its hash bucket */
	struct list_head sites;
	const char *name;		/* name of the first site */
	unsigned int nsites;
};

extern struct list_head marker_tables;	/* list of struct marker_table, by id */

/* Read busy gates and calls again: adopt known bytes, and close the gates. */
void marker_registry_retry(void);

/*
 * Register the tables of a module and give MARK() sites their kind. @quiet: none of the module's
 * code runs yet. Gates and calls with foreign bytes become busy.
 *
 * 0, -EEXIST if the module is registered, or, with a message in the log, the errors of
 * marker_table_make() and marker_text_map(), -ENOMEM.
 */
int marker_registry_add_table(struct module *mod, const struct marker_bounds *bounds, bool quiet);

/* Like marker_registry_add_table(), for an existing table; frees it on error. May sleep. */
int marker_registry_insert_table(struct marker_table *table, bool quiet);

/* The newest table of debug sites of @mod, or NULL; as marker_registry_find_table(). */
struct marker_table *marker_registry_find_debug_table(const struct module *mod);

/*
 * Remove a table whose sites have been disconnected.  @running: the text stays in use, so it is
 * put back as the compiler left it; while that cannot be done, the table stays, and the errors are
 * those of marker_table_text_restore().
 */
int marker_registry_del_table(struct marker_table *table, bool running);

/*
 * Return the table of @mod, or NULL. Takes no lock under which other code sleeps. The table stays
 * while the caller keeps @mod from going, or holds marker_mutex.
 */
struct marker_table *marker_registry_find_table(const struct module *mod);

/*
 * Return the next marker after @marker (NULL: the first) that marker_name_is() of @word, or NULL.
 * Locks: marker_mutex.
 */
struct marker *marker_registry_next_marker(const char *word, const struct marker *marker);
struct marker_site_state *marker_registry_find_site(u32 id);

/* The first site whose number is at least @id, or NULL. */
struct marker_site_state *marker_registry_next_site(u32 id);

/* The next of all sites, in the order of their numbers, or NULL. */
struct marker_site_state *marker_registry_site_after(const struct marker_site_state *site);

u32 marker_registry_hash(const char *name);

extern struct list_head *marker_registry_buckets;
extern unsigned int marker_registry_nbuckets;
int marker_registry_init(void);

/**
 * marker_gates_register - register kinds of gates from outside of the core
 * @ops: rows of the kinds, as an array that ends with a row without a name; must stay valid
 *	 until marker_gates_unregister()
 *
 * The numbers are those that enum marker_gate_kind reserves.  A site of a kind that is
 * not registered when its module comes is not used, so register kinds before modules that
 * have such sites.  These modules should use a symbol of the module with the rows, which then
 * cannot be unloaded before them.  Registering the same rows again does nothing.
 *
 * Context: May sleep, takes marker_mutex.
 * Return: 0; -EINVAL: a row is incomplete, or its number is neither reserved nor one of the
 *	   core that the architecture lacks; -EEXIST: its number or its name is taken.
 *	   Then the log names the row, and no row is registered.
 */
int marker_gates_register(const struct marker_gate_ops *ops);

/**
 * marker_gates_unregister - the reverse of marker_gates_register()
 * @ops: the same array
 *
 * Context: May sleep, takes marker_mutex.
 * Return: 0, also when they are not known; -EBUSY, which is logged: there are sites of
 *	   these kinds.
 */
int marker_gates_unregister(const struct marker_gate_ops *ops);

/* True if all code of the site was in init text, which has been freed. */
bool marker_site_is_gone(const struct marker_site_state *site);

/* True if every gate of the site can be opened and closed here. */
bool marker_site_is_patchable(const struct marker_site_state *site);

#endif
