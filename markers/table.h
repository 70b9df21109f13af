/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The section tables of one module, as read: facts about each site beyond its
 * entry, in one struct marker_site_state each, in the order of the text.
 *
 * Locks: marker_mutex, once the table is in the registry.
 */
#ifndef MARKERS_TABLE_H
#define MARKERS_TABLE_H

#include "env.h"
#include "gate.h"
#include "patch.h"
#include "marker_abi.h"

struct marker_hook_set;
struct marker;

/* Protects all that the core knows.  The files say which of their functions need it. */
extern struct mutex marker_mutex;

/* Bounds of the section tables of a module (markers.lds). */
struct marker_bounds {
	struct marker_site *sites, *sites_end;
	struct marker_gate *gates, *gates_end;
	struct marker_call *calls, *calls_end;
	const struct marker_abi *abi, *abi_end;
};

/* One copy of the call of a site. */
struct marker_call_state {
	u8 *code;
	u8 *none;			/* empty stub in its module; NULL: not known */
	u8 *to;				/* where it leads now */
	bool gone;			/* was in init text that is no more */
	bool busy;			/* had foreign bytes when it was read last */
};

struct marker_site_state {
	struct marker_site *entry;
	struct marker_table *table;
	struct marker *marker;
	struct list_head peers;		/* node of marker->sites */
	struct marker_gate_state *gates;		/* in table->gates */
	struct marker_call_state *calls;		/* in table->calls */
	u32 ngates, ncalls;
	u32 id;
	bool refused;			/* kind not registered: no gates */
	struct marker_hook_set *set;		/* the probes connected; NULL: none */
	struct marker_hook_set *next;		/* after the transaction under way */
	struct marker_hook_set *old;		/* before it, until no CPU is in it any more */
	struct list_head changed;	/* node of the list of changed sites of that transaction */
	struct marker_patch_group group;	/* result of the last patches */
};

struct marker_table {
	struct list_head list;
	struct module *mod;
	struct marker_site_state *sites;
	struct marker_gate_state *gates;
	struct marker_call_state *calls;
	unsigned int nsites, ngates, ncalls;
	u32 first_id;
	bool is_debug;			/* true for a table of debug sites */
};

/*
 * Read the tables of @mod, after they have been checked (table_check.h). Sites of a kind that is
 * not registered are refused alone. Nothing is patched. ERR_PTR(): -ENOEXEC, tables of another
 * version; -EINVAL, an invalid entry, which the log names; -ENOMEM.
 */
struct marker_table *marker_table_make(struct module *mod, const struct marker_bounds *bounds);

/* Log the reason why a site is not used, and the remedy. */
void marker_site_report_refused(const struct marker_site_state *site);

/* Free a table, and the pads of its gates. */
void marker_table_free(struct marker_table *table);

/* The init text of its module is about to go. */
void marker_table_drop_init(struct marker_table *table);

#endif
