// SPDX-License-Identifier: GPL-2.0-only
/* Kprobe gates, opened and closed by the transaction; one alone is described in kprobe_gate.h. */
#include "kprobe_gate.h"
#include "owner.h"
#include "registry.h"

static bool opens(const struct marker_site_state *site)
{
	return !site->set && site->next;
}

static bool closes(const struct marker_site_state *site)
{
	return site->set && !site->next;
}

static bool has_kprobes(const struct marker_site_state *site)
{
	return site->entry->kind == MARKER_GATE_KPROBE;
}

static void close(struct marker_gate_state *gate)
{
	marker_kprobe_gate_close_all(&gate, 1);
}

/* Close the kprobe gates of all @wanted sites, with one wait. */
static void close_all(const struct list_head *transaction,
		      bool (*wanted)(const struct marker_site_state *site))
{
	struct marker_gate_state **gates;
	unsigned int i, n = 0;
	struct marker_site_state *site;

	list_for_each_entry(site, transaction, changed)
		n += has_kprobes(site) && wanted(site) ? site->ngates : 0;
	if (!n)
		return;
	gates = kvmalloc_array(n, sizeof(*gates), GFP_KERNEL);
	n = 0;
	list_for_each_entry(site, transaction, changed)
		for (i = 0; has_kprobes(site) && wanted(site) && i < site->ngates; i++) {
			if (gates)
				gates[n++] = &site->gates[i];
			else
				close(&site->gates[i]);
		}
	if (gates)
		marker_kprobe_gate_close_all(gates, n);
	kvfree(gates);
}

/* Continues after an error, so that as many as can be are open. */
static int open_all(const struct list_head *transaction,
		    bool (*wanted)(const struct marker_site_state *site))
{
	struct marker_site_state *site;
	unsigned int i;
	int ret = 0, err;

	list_for_each_entry(site, transaction, changed)
		for (i = 0; has_kprobes(site) && wanted(site) && i < site->ngates; i++) {
			if (site->gates[i].gone || site->gates[i].excluded ||
			    site->gates[i].kprobe)
				continue;
			err = marker_kprobe_gate_open(&site->gates[i], site->entry);
			ret = ret ?: err;
		}
	return ret;
}

void marker_kprobe_gates_undo(const struct list_head *transaction)
{
	close_all(transaction, opens);
	/* A gate that cannot be opened again shows in "verify". */
	if (open_all(transaction, closes))
		pr_err("kprobe gates cannot be opened again after a failed transaction\n");
}

int marker_kprobe_gates_change(const struct list_head *transaction)
{
	int ret;

	lockdep_assert_held(&marker_mutex);
	close_all(transaction, closes);
	ret = open_all(transaction, opens);
	if (ret)
		marker_kprobe_gates_undo(transaction);
	return ret;
}

static bool is_any(const struct marker_gate_state *gate, const struct module *mod)
{
	return true;
}

static bool is_in_init(const struct marker_gate_state *gate, const struct module *mod)
{
	return marker_owner_has_init(mod, gate->code);
}

static void drop(const struct marker_table *table,
		 bool (*wanted)(const struct marker_gate_state *gate, const struct module *mod))
{
	struct marker_gate_state **gates, *gate, *end = table->gates + table->ngates;
	unsigned int n = 0;

	for (gate = table->gates; gate < end; gate++)
		n += gate->kprobe && wanted(gate, table->mod);
	if (!n)
		return;
	gates = kvmalloc_array(n, sizeof(*gates), GFP_KERNEL);
	for (gate = table->gates, n = 0; gate < end; gate++) {
		if (!gate->kprobe || !wanted(gate, table->mod))
			continue;
		if (gates)
			gates[n++] = gate;
		else
			close(gate);
	}
	if (gates)
		marker_kprobe_gate_close_all(gates, n);
	kvfree(gates);
}

void marker_kprobe_gates_drop(const struct marker_table *table)
{
	lockdep_assert_held(&marker_mutex);
	drop(table, is_any);
}

void marker_kprobe_gates_drop_init(const struct marker_table *table)
{
	lockdep_assert_held(&marker_mutex);
	drop(table, is_in_init);
}

struct marker_kprobe_gate_counts marker_kprobe_gates_count(void)
{
	struct marker_kprobe_gate_counts counts = { };
	struct marker_table *table;
	unsigned int i;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(table, &marker_tables, list)
		for (i = 0; i < table->ngates; i++) {
			counts.open += !!table->gates[i].kprobe;
			counts.optimised += marker_kprobe_gate_is_optimised(&table->gates[i]);
			counts.missed += marker_kprobe_gate_missed(&table->gates[i]);
		}
	return counts;
}
