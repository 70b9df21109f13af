/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The section tables of one module, read: what is known of a site beyond its
 * entry, in one struct site each, in the order of the text.
 *
 * Locks: markers_mutex, once the table is in the registry.
 */
#ifndef MARKERS_TABLE_H
#define MARKERS_TABLE_H

#include "env.h"
#include "gate.h"
#include "patch.h"
#include "site.h"

struct link_set;
struct marker;

/* Where the section tables of a module begin and end (markers.lds). */
struct marker_bounds {
	struct marker_site *sites, *sites_end;
	struct marker_gate *gates, *gates_end;
	struct marker_call *calls, *calls_end;
	const struct marker_abi *abi, *abi_end;
};

/* One copy of the call of a site. */
struct call {
	u8 *code;
	u8 *none;			/* marker_unconnected() of its object; NULL: not known */
	u8 *to;				/* where it leads now */
	bool gone;			/* was in init text that is no more */
	bool busy;			/* its bytes were not ours when they were looked at last */
};

struct site {
	struct marker_site *entry;
	struct marker_table *table;
	struct marker *marker;
	struct list_head peers;		/* of marker->sites */
	struct gate *gates;		/* in table->gates */
	struct call *calls;		/* in table->calls */
	u32 ngates, ncalls;
	u32 id;
	struct link_set *set;		/* the probes connected; NULL: none */
	struct link_set *next;		/* after the transaction under way */
	struct link_set *old;		/* before it, until nobody is in it any more */
	struct list_head changed;	/* of that transaction */
	struct patch_group group;	/* what that found */
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

/*
 * Reads the tables of @mod.  ERR_PTR(): -ENOEXEC, they are of another version, or
 * -EINVAL, an entry is invalid, and the log says which; -ENOMEM.  Nothing is patched.
 */
struct marker_table *table_make(struct module *mod, const struct marker_bounds *bounds);

/* Also gives the pads of its gates back. */
void table_free(struct marker_table *table);

/* The init text of its module is about to go. */
void table_drop_init(struct marker_table *table);

#endif
