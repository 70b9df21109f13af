/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates that are measured on arm64, as lists of X(variant, kind), from which loop.h makes
 * BENCH_VARIANTS.  A variant of another architecture that is generic here
 * (markers/arch/arm64/gates.h) is left out: its figure would be that of generic.
 */
#ifndef BENCH_ARCH_VARIANTS_H
#define BENCH_ARCH_VARIANTS_H

#include "bench_gates.h"
#include "marker_variants.h"

#define BENCH_GATES(X)							\
	X(generic, GENERIC) X(nop5, NOP5) X(key, KEY) X(mark, MARK)

/* Copies of the loop without a site, moved by as many bytes as their name says. */
#define BENCH_NULLS_MOVED(X)						\
	X(null4, NONE, 4) X(null8, NONE, 8) X(null12, NONE, 12)

/* Branches reach 128 MB. */
#define BENCH_GATES_NEAR(X)

/* Gates of the shape "cold". */
#define BENCH_GATES_COLD(X)	BENCH_GATES(X)

/* The ways to call that the 2006 mails compare (forms.h) are behind imm. */
#define BENCH_GATES_FORMS(X)

/* Variants of other architectures that this one lacks, for the report. */
#define BENCH_LEFT_OUT							\
	"gates imm flip pun nop14 nop23 jcc nop2 jcc8 flip8 call xor xor8; "	\
	"imm-*, behind imm; kprobe-opt kprobe-entry kprobe-site-jump, "	\
	"no such kprobes; retpoline"

#endif
