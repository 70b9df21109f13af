// SPDX-License-Identifier: GPL-2.0-only
/* The same probe as for imm_expected, with a kprobe on it. */
#include <linux/kprobes.h>
#include <linux/stdarg.h>
#include "form_kprobe.h"
#include "peer.h"

static struct form_arguments copy;

static void notrace expected(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	WRITE_ONCE(copy.count, va_arg(args, int));
	WRITE_ONCE(copy.pointer, va_arg(args, void *));
	va_end(args);
}

form_varargs_fn *marker_bench_form_kprobe = expected;

static int empty(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

NOKPROBE_SYMBOL(empty);

static struct kprobe on_probe;

/* By the time that kprobe_opt is attached, the kernel has made a jump of it. */
static int attach(void)
{
	on_probe = (struct kprobe){ .addr = (kprobe_opcode_t *)expected, .pre_handler = empty };
	return register_kprobe(&on_probe);
}

static void detach(void)
{
	unregister_kprobe(&on_probe);
}

const struct bench_peer marker_bench_peer_imm_kprobe = {
	.name = "imm_kprobe", .attach = attach, .detach = detach,
};
