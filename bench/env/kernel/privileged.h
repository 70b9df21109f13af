/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways to read the counter that only a kernel has.  User-Mode Linux (env/um)
 * and the program (tools/native) have files of the same name without them; the
 * order of -I chooses.
 */
#ifndef BENCH_PRIVILEGED_H
#define BENCH_PRIVILEGED_H

#include "fence_cr0.h"

#define FENCES_ALL(X)	FENCES(X) FENCES_CR0(X)

#endif
