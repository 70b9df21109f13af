/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of an architecture that has no gates of its own: every variant is the generic one, a
 * flag that is loaded and tested, and the call goes through a pointer. Nothing is patched.
 */
#ifndef MARKERS_ARCH_GATES_H
#define MARKERS_ARCH_GATES_H

#include "marker_abi.h"

#define MARKER_KIND(NAME)	MARKER_GATE_GENERIC

static __always_inline bool marker_gate_generic(const struct marker_site *site)
{
	if (likely(!READ_ONCE(site->on)))
		return false;
	/* The flag before the link.  Pairs with publish(). */
	smp_rmb();
	return true;
}

#define marker_gate_imm		marker_gate_generic
#define marker_gate_nop5	marker_gate_generic
#define marker_gate_flip	marker_gate_generic
#define marker_gate_auto	marker_gate_generic
#define marker_gate_pun		marker_gate_generic

/* Not names alone: there are structures of these names. */
#define marker_call(site, ...)	marker_call_pointer(site, ##__VA_ARGS__)
#define marker_kprobe_site(site, ...)					\
do {									\
	if (marker_gate_generic(site))					\
		marker_call_pointer(site, ##__VA_ARGS__);		\
} while (0)

#endif
