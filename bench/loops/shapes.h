/* SPDX-License-Identifier: GPL-2.0-only */
/* All shapes; shapes_list.h is made from shapes.list by the build. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "case.h"
#include "shapes_list.h"

#define BENCH_SHAPE_DECLARE(shape)	extern const struct bench_shape marker_bench_shape_##shape;
BENCH_SHAPES(BENCH_SHAPE_DECLARE)

#endif
