// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_refuse.ko: makes a function of the kernel refuse requests of a module.
 *
 *	insmod marker_refuse.ko function=register_die_notifier caller=markers result=-12 at=2 last=3
 *
 * The second and third call from markers.ko return -12 without running the function; the
 * other calls run it.  /sys/module/marker_refuse/parameters/calls counts them.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *function, *caller;
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "whose calls are counted");
module_param(caller, charp, 0444);
MODULE_PARM_DESC(caller, "the module that calls it");
static long result;
module_param(result, long, 0444);
MODULE_PARM_DESC(result, "what the refused call returns");
static unsigned int at, last;
module_param(at, uint, 0444);
MODULE_PARM_DESC(at, "the first call that is refused, from 1; 0: none");
module_param(last, uint, 0444);
MODULE_PARM_DESC(last, "the last call that is refused");
static unsigned int calls;
module_param(calls, uint, 0444);

/* Return at once, in place of a refused call. */
static noinline notrace void nothing(void)
{
	barrier();
}

static unsigned long caller_of(const struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	return regs->regs[30];
#else
	return *(const unsigned long *)kernel_stack_pointer((struct pt_regs *)regs);
#endif
}

/* The address behind a call may be that of the next function, so look up the symbol before it. */
static bool is_called_by(unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN], end[MODULE_NAME_LEN + 3];

	sprint_symbol_no_offset(symbol, address - 1);
	snprintf(end, sizeof(end), "[%s]", caller);
	return strstr(symbol, end);
}

static int on_call(struct kprobe *p, struct pt_regs *regs)
{
	if (!is_called_by(caller_of(regs)))
		return 0;
	calls++;
	if (!at || calls < at || calls > last)
		return 0;
	regs_set_return_value(regs, result);
	instruction_pointer_set(regs, (unsigned long)nothing);
	return 1;
}

/* A post handler keeps the kprobe from becoming a jump, which could not change the address. */
static void behind_call(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = { .pre_handler = on_call, .post_handler = behind_call };

static int __init refuse_init(void)
{
	if (!function || !caller)
		return -EINVAL;
	probe.symbol_name = function;
	return register_kprobe(&probe);
}

static void __exit refuse_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(refuse_init);
module_exit(refuse_exit);
MODULE_DESCRIPTION("refuses a registration, for the tests of markers.ko");
MODULE_LICENSE("GPL");
