/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section tables in, markers by name and sites by number out.
 *
 * A marker is a name; its sites may lie in several modules.  What is known of
 * a site beyond its section entry is kept here, in one struct site each.
 *
 * Locks: everything under markers_mutex.
 */
#ifndef MARKERS_REGISTRY_H
#define MARKERS_REGISTRY_H

#include "env.h"
#include "gate.h"
#include "site.h"

struct link_set;

/* Where the section tables of a module begin and end (markers.lds). */
struct marker_bounds {
	struct marker_site *sites, *sites_end;
	struct marker_gate *gates, *gates_end;
	struct marker_call *calls, *calls_end;
};

/* One copy of the call of a site. */
struct call {
	u8 *code;
	u8 *none;			/* marker_unconnected() of its object */
	u8 *to;				/* where it leads now */
	bool gone;			/* was in init text that is no more */
};

struct marker {
	struct list_head list;		/* of its hash bucket */
	struct list_head sites;
	const char *name;		/* of the first site */
	unsigned int nsites;
};

struct site {
	struct marker_site *entry;
	struct marker_table *table;
	struct marker *marker;
	struct list_head peers;		/* of marker->sites */
	struct gate *gates;		/* in table->gates */
	struct call *calls;		/* in table->calls */
	u16 ngates, ncalls;
	u32 id;
	struct link_set *set;		/* the probes connected; NULL: none */
	struct link_set *next;		/* after the transaction under way */
	struct list_head changed;	/* of that transaction */
};

struct marker_table {
	struct list_head list;
	struct module *mod;
	struct site *sites;
	struct gate *gates;
	struct call *calls;
	unsigned int nsites, ngates, ncalls;
	u32 first_id;
};

extern struct mutex markers_mutex;
extern struct list_head marker_tables;	/* of struct marker_table, by id */

/* Which kind MARK() sites become: PUN, FLIP or NOP5. */
extern enum marker_gate_kind registry_auto_kind;
/* Whether text is patched at all. */
extern bool registry_may_patch;

/*
 * Takes the tables of a module in and gives MARK() sites their kind.  @quiet:
 * none of its code runs yet.
 *
 * 0, -EEXIST when the module is known, -EINVAL when an entry makes no sense
 * (which is logged), -ENOMEM, or what patch_apply() returns.
 */
int registry_add_table(struct module *mod, const struct marker_bounds *bounds, bool quiet);

/*
 * Its sites have been disconnected.  @running: the text stays, and is put back
 * as the compiler left it.
 */
void registry_del_table(struct marker_table *table, bool running);

/* The init text of a module is about to go. */
void registry_drop_init(struct marker_table *table);

struct marker_table *registry_find_table(const struct module *mod);
struct marker *registry_find_marker(const char *name);
struct site *registry_find_site(u32 id);

/* The first site whose number is at least @id, or NULL. */
struct site *registry_next_site(u32 id);

#define REGISTRY_BUCKETS 1024
extern struct list_head registry_markers[REGISTRY_BUCKETS];
int registry_init(void);

/* Whether every gate of the site can be opened and closed here. */
bool site_is_patchable(const struct site *site);

#endif
