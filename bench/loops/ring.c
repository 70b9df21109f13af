// SPDX-License-Identifier: GPL-2.0-only
#include "ring.h"

struct ring bench_ring;
