// SPDX-License-Identifier: GPL-2.0-only
/* No kprobes: kprobe gates stay closed. */
#include "kprobe_gate.h"

bool marker_kprobe_gate_possible(void)
{
	return false;
}

int marker_kprobe_gate_open(struct marker_gate_state *gate, struct marker_site *entry)
{
	return -EOPNOTSUPP;
}

void marker_kprobe_gate_close_all(struct marker_gate_state *const *gates, unsigned int n)
{
}

unsigned int marker_kprobe_gate_read(const struct marker_gate_state *gate, u8 *found, u8 *expected)
{
	return 0;
}

bool marker_kprobe_gate_is_optimised(const struct marker_gate_state *gate)
{
	return false;
}

unsigned long marker_kprobe_gate_missed(const struct marker_gate_state *gate)
{
	return 0;
}
