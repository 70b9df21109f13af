/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of the code that the program build/native/cold walks through. part.c is one part; the build
 * makes 32 copies of its object and one with fewer steps, whose names differ.
 */
#ifndef BENCH_COLD_H
#define BENCH_COLD_H

/* X(variant, kind), as in BENCH_VARIANTS of loop.h. */
#define COLD_VARIANTS(X)						\
	X(none, NONE) X(null, NONE) X(generic, GENERIC) X(key, KEY) X(mark, MARK)

#define COLD_NUMBER(variant, KIND)	COLD_##KIND##_##variant,
enum cold_variant { COLD_VARIANTS(COLD_NUMBER) COLD_COUNT };

#define COLD_PART_STEPS		1024
#define COLD_PART_STEPS_FEW	64
#define COLD_STEP_BYTES		128

struct cold_part {
	void (*first[COLD_COUNT])(void);	/* step that begins its code */
};

#endif
