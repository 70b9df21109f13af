// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the section tables are, the kernel's own and those that the module
 * loader found in a module.
 *
 * Locks: none of its own; marker_text_reserved() takes none at all.
 */
#include <linux/marker.h>
#include <linux/module.h>
#include "module.h"
#include "module_tables.h"

/* Of the linker script. */
extern struct marker_site __marker_sites[], __marker_sites_end[];
extern struct marker_gate __marker_gates[], __marker_gates_end[];
extern struct marker_call __marker_calls[], __marker_calls_end[];

/* Of all tables here: modules are built with the headers of their kernel. */
static const struct marker_abi abi = MARKER_ABI;

static bool find_own_bounds(struct marker_bounds *bounds)
{
	*bounds = (struct marker_bounds){
		__marker_sites, __marker_sites_end, __marker_gates, __marker_gates_end,
		__marker_calls, __marker_calls_end, &abi, &abi + 1,
	};
	return bounds->sites < bounds->sites_end;
}

#ifdef CONFIG_MODULES
bool marker_module_find_tables(const struct module *mod, struct marker_bounds *bounds)
{
	if (!mod)
		return find_own_bounds(bounds);
	bounds->sites = mod->marker_sites;
	bounds->sites_end = bounds->sites + mod->num_marker_sites;
	bounds->gates = mod->marker_gates;
	bounds->gates_end = bounds->gates + mod->num_marker_gates;
	bounds->calls = mod->marker_calls;
	bounds->calls_end = bounds->calls + mod->num_marker_calls;
	bounds->abi = &abi;
	bounds->abi_end = &abi + 1;
	return mod->num_marker_sites;
}
#else
bool marker_module_find_tables(const struct module *mod, struct marker_bounds *bounds)
{
	return find_own_bounds(bounds);
}
#endif

/* Modules of this kernel register theirs. */
const struct marker_gate_ops *marker_module_find_gates(const struct module *mod)
{
	return NULL;
}

/* The kernel itself; this comes before any module. */
int marker_module_walk(void (*add)(struct module *mod))
{
	add(NULL);
	return 0;
}

void marker_free_init_mem(void)
{
	marker_module_drop_init(NULL);
}

static bool overlaps(const void *start, const void *end, const void *code, unsigned int len)
{
	return len && code <= end && code + len > start;
}

static bool gate_overlaps(const struct marker_gate *entry, const void *start, const void *end)
{
	struct marker_gate_state gate = {
		.code = marker_offset_ptr(&entry->code),
		.cold = marker_offset_ptr(&entry->cold),
		.built = marker_gate_kind(entry),
	};
	u8 bytes[MARKER_GATE_CODE_MAX];

	return overlaps(start, end, gate.code, marker_gate_encode_built(&gate, bytes));
}

static bool call_overlaps(const struct marker_call *entry, const void *start, const void *end)
{
	const u8 *code = marker_offset_ptr(&entry->code);
	u8 bytes[MARKER_GATE_CODE_MAX];

	return overlaps(start, end, code, marker_gate_encode_call(code, NULL, NULL, bytes));
}

static bool bounds_overlap(const struct marker_bounds *bounds, const void *start,
			   const void *end)
{
	const struct marker_gate *gate;
	const struct marker_call *call;

	for (gate = bounds->gates; gate < bounds->gates_end; gate++)
		if (gate_overlaps(gate, start, end))
			return true;
	for (call = bounds->calls; call < bounds->calls_end; call++)
		if (call_overlaps(call, start, end))
			return true;
	return false;
}

bool marker_text_reserved(const void *start, const void *end)
{
	struct marker_bounds bounds;
	struct module *mod;
	bool reserved;

	if (find_own_bounds(&bounds) && bounds_overlap(&bounds, start, end))
		return true;
	preempt_disable();
	mod = __module_text_address((unsigned long)start);
	reserved = mod && marker_module_find_tables(mod, &bounds) &&
		   bounds_overlap(&bounds, start, end);
	preempt_enable();
	return reserved;
}
