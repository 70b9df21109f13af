// SPDX-License-Identifier: GPL-2.0-only
/* One part, of 1024 steps for each variant, or of 64 with COLD_FEW. */
#define BENCH_SHAPE	cold_part

#include "loop.h"
#include "cold_steps.h"
#include "cold/cold.h"

#ifdef COLD_FEW
COLD_VARIANTS(COLD_STEPS_FEW)
#else
COLD_VARIANTS(COLD_STEPS)
#endif

#define FIRST(variant, KIND)	[COLD_##KIND##_##variant] = variant##_step00000,

extern const struct cold_part marker_bench_cold_part;
const struct cold_part marker_bench_cold_part = { .first = { COLD_VARIANTS(FIRST) } };
