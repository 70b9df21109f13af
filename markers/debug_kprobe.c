// SPDX-License-Identifier: GPL-2.0-only
/* Kprobes at the functions that debug sites call; see debug_kprobe.h. */
#include <linux/kprobes.h>
#include "debug_event.h"
#include "debug_kprobe.h"
#include "debug_take.h"
#include "table.h"

#ifdef CONFIG_KPROBES
/* The kprobe of a row of marker_debug_functions[], and the sites that need it. */
static struct function_kprobe {
	struct kprobe kprobe;
	unsigned int users;
} kprobes[MARKER_DEBUG_FUNCTIONS];

static unsigned long missed_before;	/* events that removed kprobes missed */

static void notrace return_at_once(void)
{
}

int notrace marker_debug_kprobe_skip(struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)return_at_once);
	return 1;
}

NOKPROBE_SYMBOL(marker_debug_kprobe_skip);

void notrace marker_debug_kprobe_no_jump(struct kprobe *kprobe, struct pt_regs *regs,
					 unsigned long flags)
{
}

static int notrace take_call(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct marker_debug_function *function =
		&marker_debug_functions[container_of(kprobe, struct function_kprobe, kprobe) -
					kprobes];
	struct marker_debug_args args;
	const struct marker_debug_site *site;

	marker_debug_args_of(&args, regs);
	if (args.registers[function->slot] == (unsigned long)marker_debug_passed_on)
		return 0;
	site = marker_debug_site_of((const void *)args.registers[0]);
	if (!site || !site->by_kprobe || site->function != function || function->take(&args))
		return 0;
	return marker_debug_kprobe_skip(regs);
}

NOKPROBE_SYMBOL(take_call);

int marker_debug_kprobe_get(const struct marker_debug_function *function)
{
	struct function_kprobe *fk = &kprobes[function - marker_debug_functions];
	int ret;

	lockdep_assert_held(&marker_mutex);
	if (!fk->users) {
		fk->kprobe = (struct kprobe){
			.addr = (kprobe_opcode_t *)function->function,
			.pre_handler = take_call,
			.post_handler = marker_debug_kprobe_no_jump,
		};
		ret = register_kprobe(&fk->kprobe);
		if (ret)
			return ret;
	}
	fk->users++;
	return 0;
}

void marker_debug_kprobe_put(const struct marker_debug_function *function)
{
	struct function_kprobe *fk = &kprobes[function - marker_debug_functions];

	lockdep_assert_held(&marker_mutex);
	if (--fk->users)
		return;
	unregister_kprobe(&fk->kprobe);
	missed_before += fk->kprobe.nmissed;
	fk->kprobe.nmissed = 0;
}

unsigned long marker_debug_kprobe_missed(void)
{
	unsigned long n = READ_ONCE(missed_before);
	unsigned int i;

	for (i = 0; i < MARKER_DEBUG_FUNCTIONS; i++)
		n += READ_ONCE(kprobes[i].kprobe.nmissed);
	return n;
}
#else
int marker_debug_kprobe_get(const struct marker_debug_function *function)
{
	return -EOPNOTSUPP;
}

void marker_debug_kprobe_put(const struct marker_debug_function *function)
{
}

unsigned long marker_debug_kprobe_missed(void)
{
	return 0;
}
#endif
