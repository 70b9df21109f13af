// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks through code of several sizes, from what every first-level cache holds to more than
 * second-level caches do, and through code that was flushed to memory before each walk. Each size
 * is a shape of sizes.list.
 */
#include "case.h"
#include "cold/cold.h"
#include "flush.h"
#include "tables.h"

#define PARTS(X)							\
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)				\
	X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)			\
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23)			\
	X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

#define PART_DECLARE(n)		extern const struct cold_part marker_bench_cold_part_##n;
PARTS(PART_DECLARE)
PART_DECLARE(few)

#define PART(n)			&marker_bench_cold_part_##n,
static const struct cold_part *const parts[] = { PARTS(PART) };
static const struct cold_part *const few[] = { PART(few) };

static __always_inline void walk(const struct cold_part *const *at, unsigned int n,
				 enum cold_variant variant, unsigned long loops)
{
	unsigned int i;

	do {
		for (i = 0; i < n; i++)
			at[i]->first[variant]();
	} while (--loops);
}

/*
 * The sites of a part stand together in the table.  Gates lead to those of its marks; the others
 * are less than so many sites away from them.
 */
#define NEAR	(COLD_COUNT * COLD_PART_STEPS)

/* Write the sites of the first part, whose flags its code reads, back to memory. */
static void flush_sites(void)
{
	static const struct marker_site *first, *last;
	const char *code = (const char *)parts[0]->first[COLD_MARK_mark];
	const struct marker_gate *gate = __marker_gates;

	for (; !first && gate < __marker_gates_end; gate++) {
		const char *at = marker_offset_ptr(&gate->code);

		if (at < code || at >= code + COLD_PART_STEPS * COLD_STEP_BYTES)
			continue;
		last = marker_offset_ptr(&gate->site);
		first = last - min(NEAR, last - __marker_sites);
		last += min(NEAR, __marker_sites_end - last);
	}
	flush_lines(first, (char *)last - (char *)first);
}

/* Write all lines of the first part, and the flags of its sites, back to memory. */
static __always_inline void flush(enum cold_variant variant)
{
	flush_lines(parts[0]->first[variant], COLD_PART_STEPS * COLD_STEP_BYTES);
	flush_sites();
}

#define FLUSH(variant, KIND)						\
static void flush_##variant(void)					\
{									\
	flush(COLD_##KIND##_##variant);					\
}

COLD_VARIANTS(FLUSH)

#define WALK(size, at, n, variant, KIND)				\
static noinline void size##_##variant(unsigned long loops)		\
{									\
	walk(at, n, COLD_##KIND##_##variant, loops);			\
}

#define ENTRY(size, steps, number, walks, name, copy, ...) {		\
	.shape = #size, .variant = #name,				\
	.loops = { walks, walks },					\
	.sites = (steps) * (number), .layout = copy, .fn = size##_##name, \
	__VA_ARGS__							\
},

/* The same code four times, for as many samples as other shapes have. */
#define ENTRIES(size, steps, number, walks, name, ...)			\
	ENTRY(size, steps, number, walks, name, 0, __VA_ARGS__)		\
	ENTRY(size, steps, number, walks, name, 1, __VA_ARGS__)		\
	ENTRY(size, steps, number, walks, name, 2, __VA_ARGS__)		\
	ENTRY(size, steps, number, walks, name, 3, __VA_ARGS__)

/* @walks: loops of a sample, fewer for more steps. */
#define SIZE(size, at, steps, number, walks, prepare)			\
WALK(size, at, number, none, NONE)					\
WALK(size, at, number, null, NONE)					\
WALK(size, at, number, generic, GENERIC)				\
WALK(size, at, number, key, KEY)					\
WALK(size, at, number, mark, MARK)					\
static const struct bench_case size##_cases[] = {			\
	ENTRIES(size, steps, number, walks, none, prepare(none))	\
	ENTRIES(size, steps, number, walks, null, prepare(null))	\
	ENTRIES(size, steps, number, walks, generic, prepare(generic))	\
	ENTRIES(size, steps, number, walks, key, prepare(key))	\
	ENTRIES(size, steps, number, walks, mark, prepare(mark))	\
};									\
extern const struct bench_shape marker_bench_shape_##size;		\
const struct bench_shape marker_bench_shape_##size = {			\
	.name = #size, .cases = size##_cases, .ncases = ARRAY_SIZE(size##_cases), \
};

#define NOTHING(variant)
#define FLUSHED(variant)	.before = flush_##variant

SIZE(cold8k, few, COLD_PART_STEPS_FEW, 1, 1000, NOTHING)
SIZE(cold128k, parts, COLD_PART_STEPS, 1, 60, NOTHING)
SIZE(cold256k, parts, COLD_PART_STEPS, 2, 30, NOTHING)
SIZE(cold512k, parts, COLD_PART_STEPS, 4, 15, NOTHING)
SIZE(cold1m, parts, COLD_PART_STEPS, 8, 8, NOTHING)
SIZE(cold2m, parts, COLD_PART_STEPS, 16, 4, NOTHING)
SIZE(cold4m, parts, COLD_PART_STEPS, 32, 2, NOTHING)
SIZE(coldmem, parts, COLD_PART_STEPS, 1, 1, FLUSHED)
