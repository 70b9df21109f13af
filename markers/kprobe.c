// SPDX-License-Identifier: GPL-2.0-only
/*
 * A site without code, and its kprobe.
 *
 * The kernel decides whether the breakpoint becomes a jump. On x86 it does so a moment later, if
 * debug.kprobes-optimization is 1, nothing jumps into the next five bytes, the instructions there
 * can be copied, and the function has no entry in the exception table.
 */
#include <linux/kprobes.h>
#include "kprobe_gate.h"
#include "marker_args.h"
#include "operand.h"

struct marker_kprobe_gate {
	struct kprobe kprobe;
	struct marker_site *entry;
	unsigned int nargs;
	struct marker_operand operands[MARKER_ARGS_MAX];
};

/*
 * Preemption is off; interrupts are off, too, unless the kprobe is a jump.  The link is there
 * before the kprobe, and after it (dispatch.c).
 */
static int notrace handle_kprobe(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct marker_kprobe_gate *kg =
		container_of(kprobe, struct marker_kprobe_gate, kprobe);
	const struct marker_link *link = READ_ONCE(kg->entry->link);
	unsigned long args[MARKER_ARGS_MAX] = { };
	unsigned int i;

	for (i = 0; i < kg->nargs; i++)
		args[i] = marker_operand_value(&kg->operands[i], regs);
	link->func(link, kg->entry, args[0], args[1], args[2],
		   kg->nargs > MARKER_ARGS_REGS ? (unsigned long)&args[3] : args[3]);
	return 0;
}

NOKPROBE_SYMBOL(handle_kprobe);

bool marker_kprobe_gate_possible(void)
{
	return true;
}

static int decode(struct marker_kprobe_gate *kg, const u8 *description)
{
	unsigned int i;
	int ret;

	kg->nargs = marker_site_nargs(kg->entry);
	for (i = 0; i < kg->nargs; i++) {
		ret = marker_operand_decode(description, marker_site_type(kg->entry, i),
					    &kg->operands[i]);
		if (ret < 0)
			return ret;
		description += ret;
	}
	return 0;
}

int marker_kprobe_gate_open(struct marker_gate_state *gate, struct marker_site *entry)
{
	struct marker_kprobe_gate *kg = kzalloc(sizeof(*kg), GFP_KERNEL);
	int ret;

	if (!kg)
		return -ENOMEM;
	kg->entry = entry;
	kg->kprobe.addr = (kprobe_opcode_t *)gate->code;
	kg->kprobe.pre_handler = handle_kprobe;
	ret = decode(kg, gate->cold);
	if (!ret)
		ret = register_kprobe(&kg->kprobe);
	if (ret) {
		pr_err("%s (%s:%u): no kprobe at %pS: %pe\n", entry->name, entry->file,
		       entry->line, gate->code, ERR_PTR(ret));
		kfree(kg);
		return ret;
	}
	gate->kprobe = kg;
	return 0;
}

void marker_kprobe_gate_close_all(struct marker_gate_state *const *gates, unsigned int n)
{
	struct kprobe **list = kvmalloc_array(n, sizeof(*list), GFP_KERNEL);
	unsigned int i, open = 0;

	for (i = 0; i < n; i++) {
		if (!gates[i]->kprobe)
			continue;
		if (list)
			list[open++] = &gates[i]->kprobe->kprobe;
		else
			unregister_kprobe(&gates[i]->kprobe->kprobe);
	}
	if (open)
		unregister_kprobes(list, open);
	kvfree(list);
	for (i = 0; i < n; i++) {
		kfree(gates[i]->kprobe);
		gates[i]->kprobe = NULL;
	}
}

/* The kernel does not say which of its kprobes are jumps by now; the text does. */
static bool is_optimised(const struct marker_gate_state *gate, u8 found)
{
	u8 jump = marker_gate_arch.kprobe_jump;

	return jump && found == jump && *(const u8 *)&gate->kprobe->kprobe.opcode != jump;
}

bool marker_kprobe_gate_is_optimised(const struct marker_gate_state *gate)
{
	return gate->kprobe && is_optimised(gate, READ_ONCE(*gate->code));
}

unsigned int marker_kprobe_gate_read(const struct marker_gate_state *gate, u8 *found, u8 *expected)
{
	unsigned int len = marker_gate_arch.kprobe_len;

	memcpy(found, gate->code, len);
	memcpy(expected, marker_gate_arch.kprobe, len);
	if (gate->kprobe && is_optimised(gate, *found))
		*expected = *found;
	return len;
}

unsigned long marker_kprobe_gate_missed(const struct marker_gate_state *gate)
{
	return gate->kprobe ? READ_ONCE(gate->kprobe->kprobe.nmissed) : 0;
}
