/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Row A11 of the thread: the form imm_expected of forms.h, while an empty kprobe
 * sits on the probe.  The probe is one of its own, since the kprobe would be in
 * the figure of imm_expected, too.  In 2006 every kprobe was a breakpoint; today
 * the kernel makes a jump of this one.
 */
#ifndef PEERS_FORM_KPROBE_H
#define PEERS_FORM_KPROBE_H

#include "forms.h"

extern form_varargs_fn *marker_bench_form_kprobe;

#define MARK_IMM_KPROBE(name, fmt, ...)					\
	FORM(name, fmt, FORM_HELD(READ_ONCE(marker_bench_form_kprobe)(fmt, __VA_ARGS__)), \
	     __VA_ARGS__)

#endif
