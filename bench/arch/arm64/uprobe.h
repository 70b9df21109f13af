/* SPDX-License-Identifier: GPL-2.0-only */
/* There is no gate imm for arm64, and so no form behind it. */
#ifndef BENCH_UPROBE_H
#define BENCH_UPROBE_H

#define BENCH_UPROBES(X)

static inline bool native_uprobes_attach(void)
{
	return true;
}

#endif
