// SPDX-License-Identifier: GPL-2.0-only
/* Ghost gates by the transaction; what one of them is, is in ghost.h. */
#include "ghost.h"
#include "ghosts.h"
#include "owner.h"
#include "registry.h"

static bool opens(const struct site *site)
{
	return !site->set && site->next;
}

static bool closes(const struct site *site)
{
	return site->set && !site->next;
}

static bool is_ghost(const struct site *site)
{
	return site->entry->kind == MARKER_GATE_GHOST;
}

static void close(struct gate *gate)
{
	ghost_close_all(&gate, 1);
}

/* All ghosts of those sites that are @wanted; one wait for all of them. */
static void close_all(const struct list_head *transaction, bool (*wanted)(const struct site *site))
{
	struct gate **gates;
	unsigned int i, n = 0;
	struct site *site;

	list_for_each_entry(site, transaction, changed)
		n += is_ghost(site) && wanted(site) ? site->ngates : 0;
	if (!n)
		return;
	gates = kvmalloc_array(n, sizeof(*gates), GFP_KERNEL);
	n = 0;
	list_for_each_entry(site, transaction, changed)
		for (i = 0; is_ghost(site) && wanted(site) && i < site->ngates; i++) {
			if (gates)
				gates[n++] = &site->gates[i];
			else
				close(&site->gates[i]);
		}
	if (gates)
		ghost_close_all(gates, n);
	kvfree(gates);
}

/* Goes on after an error, so that as many as can be are open. */
static int open_all(const struct list_head *transaction, bool (*wanted)(const struct site *site))
{
	struct site *site;
	unsigned int i;
	int ret = 0, err;

	list_for_each_entry(site, transaction, changed)
		for (i = 0; is_ghost(site) && wanted(site) && i < site->ngates; i++) {
			if (site->gates[i].gone || site->gates[i].ghost)
				continue;
			err = ghost_open(&site->gates[i], site->entry);
			ret = ret ?: err;
		}
	return ret;
}

void ghosts_undo(const struct list_head *transaction)
{
	close_all(transaction, opens);
	/* What is closed now, and should not be, shows in "verify". */
	if (open_all(transaction, closes))
		pr_err("markers: ghosts that were to be closed cannot be opened again\n");
}

int ghosts_change(const struct list_head *transaction)
{
	int ret;

	close_all(transaction, closes);
	ret = open_all(transaction, opens);
	if (ret)
		ghosts_undo(transaction);
	return ret;
}

static bool is_any(const struct gate *gate, const struct module *mod)
{
	return true;
}

static bool is_in_init(const struct gate *gate, const struct module *mod)
{
	return owner_has_init(mod, gate->code);
}

static void drop(const struct marker_table *table,
		 bool (*wanted)(const struct gate *gate, const struct module *mod))
{
	struct gate **gates, *gate, *end = table->gates + table->ngates;
	unsigned int n = 0;

	for (gate = table->gates; gate < end; gate++)
		n += gate->ghost && wanted(gate, table->mod);
	if (!n)
		return;
	gates = kvmalloc_array(n, sizeof(*gates), GFP_KERNEL);
	for (gate = table->gates, n = 0; gate < end; gate++) {
		if (!gate->ghost || !wanted(gate, table->mod))
			continue;
		if (gates)
			gates[n++] = gate;
		else
			close(gate);
	}
	if (gates)
		ghost_close_all(gates, n);
	kvfree(gates);
}

void ghosts_drop(const struct marker_table *table)
{
	drop(table, is_any);
}

void ghosts_drop_init(const struct marker_table *table)
{
	drop(table, is_in_init);
}

struct ghost_counts ghosts_count(void)
{
	struct ghost_counts counts = { };
	struct marker_table *table;
	unsigned int i;

	list_for_each_entry(table, &marker_tables, list)
		for (i = 0; i < table->ngates; i++) {
			counts.open += !!table->gates[i].ghost;
			counts.optimised += ghost_is_optimised(&table->gates[i]);
			counts.missed += ghost_missed(&table->gates[i]);
		}
	return counts;
}
