// SPDX-License-Identifier: GPL-2.0-only
#include "ring.h"

struct bench_ring marker_bench_ring;
