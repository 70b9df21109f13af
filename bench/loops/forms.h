/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to call a probe that the 2006 mails compare (rows A5 to A10), behind
 * the gate imm, as in these mails.  The call is by a pointer, as
 * then; the target of the pointer does not change.
 *
 *	form		arguments			probe		held off
 *	fastcall	registers			empty		yes
 *	varargs		as of a variadic function	empty		yes
 *	pointer		as of a variadic function	empty		no
 *	stack		on the stack			copies them	yes
 *	expected	as of a variadic function	copies them	yes
 *	parsed		as of a variadic function	copies by the format	yes
 *
 * "Held off" is preemption (hold.h).  On x86-64 the arguments of a variadic
 * function are in registers, too, which the function has to store before it can
 * go through them; to have them on the stack takes a structure.
 */
#ifndef BENCH_FORMS_H
#define BENCH_FORMS_H

#include "hold.h"
#include "marker_variants.h"

/*
 * The count has a word of its own, as on a stack: the call copies whole words, and a
 * CPU cannot forward half of one from the store before.
 */
struct form_arguments {
	const char *format;
	long count;
	void *pointer;
};

typedef void form_fastcall_fn(const char *format, int count, void *pointer);
typedef void form_varargs_fn(const char *format, ...);
typedef void form_stack_fn(struct form_arguments arguments);

/* Loaded for each call. */
extern form_fastcall_fn *marker_bench_form_fastcall;
extern form_varargs_fn *marker_bench_form_varargs, *marker_bench_form_expected,
	*marker_bench_form_parsed;
extern form_stack_fn *marker_bench_form_stack;

/* The probe of "expected", for a kprobe on it. */
form_varargs_fn marker_bench_form_expected_probe;

#define FORM_HELD(call)							\
do {									\
	hold_begin();							\
	call;								\
	hold_end();							\
} while (0)

#define FORM(name, fmt, call, ...)					\
do {									\
	MARKER_SITE(MARKER_KIND(IMM), MARKER_NAME(#name), __marker_is_##name, fmt, ##__VA_ARGS__); \
	if (marker_gate_imm(&__marker_site))				\
		call;							\
} while (0)

#define MARK_IMM_FASTCALL(name, fmt, ...)				\
	FORM(name, fmt, FORM_HELD(READ_ONCE(marker_bench_form_fastcall)(fmt, __VA_ARGS__)), \
	     __VA_ARGS__)
#define MARK_IMM_VARARGS(name, fmt, ...)				\
	FORM(name, fmt, FORM_HELD(READ_ONCE(marker_bench_form_varargs)(fmt, __VA_ARGS__)), \
	     __VA_ARGS__)
#define MARK_IMM_POINTER(name, fmt, ...)				\
	FORM(name, fmt, READ_ONCE(marker_bench_form_varargs)(fmt, __VA_ARGS__), __VA_ARGS__)
#define MARK_IMM_STACK(name, fmt, ...)					\
	FORM(name, fmt, FORM_HELD(READ_ONCE(marker_bench_form_stack)(	\
		(struct form_arguments){ fmt, __VA_ARGS__ })), __VA_ARGS__)
#define MARK_IMM_EXPECTED(name, fmt, ...)				\
	FORM(name, fmt, FORM_HELD(READ_ONCE(marker_bench_form_expected)(fmt, __VA_ARGS__)), \
	     __VA_ARGS__)
#define MARK_IMM_PARSED(name, fmt, ...)					\
	FORM(name, fmt, FORM_HELD(READ_ONCE(marker_bench_form_parsed)(fmt, __VA_ARGS__)), \
	     __VA_ARGS__)

/* X(variant, kind), as in BENCH_VARIANTS; only where they are enabled. */
#define BENCH_FORMS(X)							\
	X(imm_fastcall, IMM_FASTCALL) X(imm_varargs, IMM_VARARGS)	\
	X(imm_pointer, IMM_POINTER) X(imm_stack, IMM_STACK)		\
	X(imm_expected, IMM_EXPECTED) X(imm_parsed, IMM_PARSED)

#endif
