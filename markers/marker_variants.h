/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MARK() with a fixed kind of gate, for users who compare kinds or depend on one.  Each macro
 * takes the arguments of MARK().
 *
 *	MARK_IMM	load an immediate, test it, branch; one byte is patched
 *	MARK_NOP5	a 5-byte NOP, or a jump
 *	MARK_FLIP	a 5-byte test, or a jump; one byte is patched
 *	MARK_PUN	a 5-byte NOP, or a jump to a landing pad; one byte is patched.
 *			FLIP where no landing pad is available
 *	MARK_KEY	the kernel's static key
 *
 * If the architecture lacks a kind, its macro is MARK_GENERIC().
 */
#ifndef MARKERS_MARKER_VARIANTS_H
#define MARKERS_MARKER_VARIANTS_H

#include "marker.h"

/* X(name, NAME) for each kind that fixes the gate of a site; MARK_GENERIC() is one. */
#define MARKER_VARIANTS(X)						\
	X(generic, GENERIC) X(imm, IMM) X(nop5, NOP5) X(flip, FLIP)	\
	X(pun, PUN) X(key, KEY)

#define MARK_IMM(name, ...) \
	MARKER(imm, IMM, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_NOP5(name, ...) \
	MARKER(nop5, NOP5, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_FLIP(name, ...) \
	MARKER(flip, FLIP, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_PUN(name, ...) \
	MARKER(pun, PUN, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)

/* The kernel's branch and entry of a static key, with a call of ours. */
#define MARK_KEY(name, ...)	MARKER_KEY(MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARKER_KEY(name, id, fmt, ...)					\
do {									\
	MARKER_SITE(MARKER_KEY_KIND, name, id, fmt, ##__VA_ARGS__);	\
	MARKER_KEY_DEFINE(__marker_key);				\
	if (marker_gate_key(__marker_key, &__marker_site)) {		\
		MARKER_KEY_RECORD(__marker_key, &__marker_site);	\
		MARKER_AWAKE(marker_call(&__marker_site, ##__VA_ARGS__)); \
	}								\
} while (0)

#endif
