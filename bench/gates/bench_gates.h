/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gates that exist only to be measured beside those of the core. One list has all of them; code.h
 * of the architecture has their instructions, rows.c their rows, and gates.tsv all other facts.
 *
 * Code with such a site needs marker_gates.ko, which has the rows: a reference to
 * marker_bench_gates in each object makes sure that the module is loaded first and stays.
 */
#ifndef BENCH_GATES_H
#define BENCH_GATES_H

#include "marker.h"

/* The numbers of the kinds, which are part of the ABI. */
enum {
	MARKER_GATE_NOP2 = MARKER_GATE_OTHERS,
	MARKER_GATE_NOP14,
	MARKER_GATE_NOP23,
	MARKER_GATE_JCC,
	MARKER_GATE_JCC8,
	MARKER_GATE_FLIP8,
	MARKER_GATE_CALL,
};

/* X(name, NAME) for each that MARKER() can make a site of. */
#define MARKER_BENCH_GATES_FAR(X)					\
	X(jcc, JCC) X(nop14, NOP14) X(nop23, NOP23)

/* Gates whose cold block must be within 127 bytes. */
#define MARKER_BENCH_GATES_NEAR(X)					\
	X(nop2, NOP2) X(jcc8, JCC8) X(flip8, FLIP8)

/* Without call, which is no gate in front of the cold block. */
#define MARKER_BENCH_GATES(X)	MARKER_BENCH_GATES_FAR(X) MARKER_BENCH_GATES_NEAR(X)

#include "code.h"

#define MARK_NOP14(name, ...) \
	MARKER(nop14, NOP14, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_NOP23(name, ...) \
	MARKER(nop23, NOP23, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_JCC(name, ...) \
	MARKER(jcc, JCC, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_NOP2(name, ...) \
	MARKER_NEAR(nop2, NOP2, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_JCC8(name, ...) \
	MARKER_NEAR(jcc8, JCC8, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_FLIP8(name, ...) \
	MARKER_NEAR(flip8, FLIP8, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)

/* Like MARKER(), but the cold block has to be near, and so has no check in it. */
#define MARKER_NEAR(gate, KIND, name, id, fmt, ...)			\
do {									\
	MARKER_SITE(MARKER_KIND(KIND), name, id, fmt, ##__VA_ARGS__);	\
	if (marker_gate_##gate(&__marker_site))				\
		marker_call(&__marker_site, ##__VA_ARGS__);		\
} while (0)

/* The hot path always sets up the arguments, and the patched instruction is the call. */
#define MARK_CALL(name, ...) \
	MARKER_CALL(MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARKER_CALL(name, id, fmt, ...)					\
do {									\
	MARKER_SITE(MARKER_KIND(CALL), name, id, fmt, ##__VA_ARGS__);	\
	marker_call_nop(&__marker_site, ##__VA_ARGS__);			\
} while (0)

/* The rows of marker_gates.ko; see above. */
extern const struct marker_gate_ops *const marker_bench_gates;
#ifndef MARKER_BENCH_GATES_HERE
static const struct marker_gate_ops *const *const marker_bench_gates_needed __used =
	&marker_bench_gates;
#endif

#endif
