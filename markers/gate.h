/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a gate: what bytes stand at a site when it is closed and when
 * it is open.  Each architecture has its gate.c; nothing here writes text.
 */
#ifndef MARKERS_GATE_H
#define MARKERS_GATE_H

#include "env.h"
#include "marker_abi.h"

#define MARKER_GATE_CODE_MAX	6

struct marker_kprobe_gate;

/* One copy of the gate of a site, as markers.ko knows it. */
struct marker_gate_state {
	u8 *code;	/* first byte of the patched instruction; the key; the switch */
	u8 *cold;	/* where it leads when open; kprobe: its operands */
	u8 *to;		/* call: what it calls when open */
	u8 *pad;	/* pun: the landing pad, else NULL */
	struct marker_kprobe_gate *kprobe;	/* kprobe: what makes it open, else NULL */
	u8 kind;	/* enum marker_gate_kind; never AUTO */
	u8 built;	/* the kind the compiler left */
	bool open;
	bool gone;	/* was in init text that is no more */
	bool busy;	/* its bytes were not ours when they were looked at last */
};

/* Names as in the macros, in lower case: "flip", "nop5", ... */
const char *marker_gate_kind_name(unsigned int kind);

/* -EINVAL for an unknown name. */
int marker_gate_kind_parse(const char *name);

/* Whether opening it means writing code, here (kprobes does it for a kprobe gate). */
bool marker_gate_kind_is_code(unsigned int kind);

/* Whether one kind may be turned into the other at load. */
bool marker_gate_kind_is_5byte(unsigned int kind);

/*
 * The bytes of @gate in the state asked for.  Returns their number, 0 for a
 * gate without code.
 */
unsigned int marker_gate_encode(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX]);

/* The same, as the compiler left them. */
unsigned int marker_gate_encode_built(const struct marker_gate_state *gate,
				      u8 bytes[MARKER_GATE_CODE_MAX]);

/* Which kind the compiler leaves for one that is rewritten at load. */
unsigned int marker_gate_kind_built(unsigned int kind);

/*
 * Whether @found, read at @gate, is what the compiler or any markers.ko left
 * there; *@open: it leads to the cold block.  A jump to the pad of another
 * markers.ko is not.
 */
bool marker_gate_recognise(const struct marker_gate_state *gate, const u8 *found, bool *open);

/* Whether they are a NOP of the form that pun gates have, whatever its operand. */
bool marker_gate_is_long_nop(const u8 *bytes);

/* Where a CPU goes on that meets the gate in this state. */
u8 *marker_gate_next(const struct marker_gate_state *gate, bool open);

/* Whether the closed gate is of several instructions: one may stand inside. */
bool marker_gate_is_split(const struct marker_gate_state *gate);

/* e8 rel32 at @code, calling @to; returns the length. */
unsigned int marker_gate_encode_call(const u8 *code, const void *to,
				     u8 bytes[MARKER_GATE_CODE_MAX]);

/* Where the call at @code leads; NULL when there is none. */
u8 *marker_gate_decode_call(const u8 *code);

/*
 * Landing pads of pun gates: marker_pad_alloc() finds a place in the areas whose
 * address the operand bytes of a NOP at @code can express, or returns NULL.
 * Context: marker_mutex.
 */
u8 *marker_pad_alloc(const u8 *code);
void marker_pad_free(u8 *pad);
unsigned int marker_pad_encode(const u8 *pad, const u8 *cold, u8 bytes[MARKER_GATE_CODE_MAX]);
void marker_pad_usage(unsigned int *used, unsigned int *bytes);

#endif
