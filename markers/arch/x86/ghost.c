// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ghosts with kprobes.
 *
 * Whether the kernel makes a jump of the breakpoint is up to it: it does, a
 * moment later, if debug.kprobes-optimization is 1, nothing jumps into the next
 * five bytes, the instructions there can be copied, and the function has no
 * entry in the exception table.
 */
#include <linux/kprobes.h>
#include <asm/text-patching.h>
#include "ghost.h"
#include "marker_fn.h"
#include "operands.h"

struct ghost {
	struct kprobe kprobe;
	struct marker_site *entry;
	unsigned int nargs;
	struct operand operands[MARKER_ARGS_MAX];
};

/*
 * Preemption is off, and interrupts are where it is a breakpoint.  The link is
 * there from before the kprobe to behind it (dispatch.c).
 */
static int notrace haunt(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct ghost *ghost = container_of(kprobe, struct ghost, kprobe);
	const struct probe_link *link = READ_ONCE(ghost->entry->link);
	unsigned long args[MARKER_ARGS_MAX] = { };
	unsigned int i;

	for (i = 0; i < ghost->nargs; i++)
		args[i] = operand_value(&ghost->operands[i], regs);
	link->func(link, ghost->entry, args[0], args[1], args[2],
		   ghost->nargs > MARKER_ARGS_REGS ? (unsigned long)&args[3] : args[3]);
	return 0;
}

NOKPROBE_SYMBOL(haunt);

bool ghost_possible(void)
{
	return true;
}

static int decode(struct ghost *ghost, const u8 *description)
{
	unsigned int i;
	int ret;

	ghost->nargs = marker_site_nargs(ghost->entry);
	for (i = 0; i < ghost->nargs; i++) {
		ret = operand_decode(description, marker_site_type(ghost->entry, i),
				     &ghost->operands[i]);
		if (ret < 0)
			return ret;
		description += ret;
	}
	return 0;
}

int ghost_open(struct gate *gate, struct marker_site *entry)
{
	struct ghost *ghost = kzalloc(sizeof(*ghost), GFP_KERNEL);
	int ret;

	if (!ghost)
		return -ENOMEM;
	ghost->entry = entry;
	ghost->kprobe.addr = gate->code;
	ghost->kprobe.pre_handler = haunt;
	ret = decode(ghost, gate->cold);
	if (!ret)
		ret = register_kprobe(&ghost->kprobe);
	if (ret) {
		pr_err("markers: %s (%s:%u): no kprobe at %pS: %d\n", entry->name,
		       entry->file, entry->line, gate->code, ret);
		kfree(ghost);
		return ret;
	}
	gate->ghost = ghost;
	return 0;
}

void ghost_close_all(struct gate *const *gates, unsigned int n)
{
	struct kprobe **list = kvmalloc_array(n, sizeof(*list), GFP_KERNEL);
	unsigned int i, open = 0;

	for (i = 0; i < n; i++) {
		if (!gates[i]->ghost)
			continue;
		if (list)
			list[open++] = &gates[i]->ghost->kprobe;
		else
			unregister_kprobe(&gates[i]->ghost->kprobe);
	}
	if (open)
		unregister_kprobes(list, open);
	kvfree(list);
	for (i = 0; i < n; i++) {
		kfree(gates[i]->ghost);
		gates[i]->ghost = NULL;
	}
}

/* The kernel does not say which of its kprobes are jumps by now; the text does. */
static bool is_optimised(const struct gate *gate, u8 found)
{
	return gate->ghost && gate->ghost->kprobe.opcode != JMP32_INSN_OPCODE &&
	       found == JMP32_INSN_OPCODE;
}

bool ghost_is_optimised(const struct gate *gate)
{
	return gate->ghost && is_optimised(gate, READ_ONCE(*gate->code));
}

u8 ghost_expected(const struct gate *gate, u8 found)
{
	return is_optimised(gate, found) ? JMP32_INSN_OPCODE : INT3_INSN_OPCODE;
}

unsigned long ghost_missed(const struct gate *gate)
{
	return gate->ghost ? READ_ONCE(gate->ghost->kprobe.nmissed) : 0;
}
