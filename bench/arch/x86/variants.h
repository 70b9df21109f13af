/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates that are measured on x86-64, as lists of X(variant, kind): BENCH_VARIANTS of
 * loop.h is made of them.
 */
#ifndef BENCH_ARCH_VARIANTS_H
#define BENCH_ARCH_VARIANTS_H

#include "bench_gates.h"
#include "marker_variants.h"
#include "xor.h"

#define BENCH_GATES(X)							\
	MARKER_VARIANTS(X) X(mark, MARK)				\
	MARKER_BENCH_GATES_FAR(X) X(call, CALL) X(xor, XOR)

/* Copies of the loop without a site, moved by as many bytes as their name says. */
#define BENCH_NULLS_MOVED(X)						\
	X(null2, NONE, 2) X(null5, NONE, 5) X(null8, NONE, 8) X(null11, NONE, 11)

/* Gates whose cold block must be within 127 bytes. */
#define BENCH_GATES_NEAR(X)	MARKER_BENCH_GATES_NEAR(X) X(xor8, XOR8)

/* Gates of the shape "cold". */
#define BENCH_GATES_COLD(X)						\
	X(generic, GENERIC) X(imm, IMM) X(nop5, NOP5) X(flip, FLIP)	\
	X(key, KEY) X(mark, MARK)

/* The ways to call that the 2006 mails compare (forms.h): behind imm. */
#define BENCH_GATES_FORMS(X)	BENCH_FORMS(X)

/* Variants of other architectures that this one lacks, for the report. */
#define BENCH_LEFT_OUT		""

#endif
