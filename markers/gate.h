/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a gate: the bytes at a site while it is closed and while it is open. Each kind of
 * gate is a row, struct marker_gate_ops. The rows and other functions of an architecture are its
 * struct marker_gate_arch, in arch/<arch>/gates.c; a module may register rows of its own. Nothing
 * here writes text.
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
	u8 *to;		/* MARKER_GATE_F_CALL: target of the open call; debug: of the closed call */
	u8 *pad;	/* pun: the landing pad, else NULL */
	struct marker_kprobe_gate *kprobe;	/* kprobe, open: its kprobe; else NULL */
	u8 kind;	/* enum marker_gate_kind; never AUTO */
	u8 built;	/* the kind the compiler left */
	bool open;
	bool gone;	/* was in init text that is no more */
	bool busy;	/* had foreign bytes when it was read last */
	bool excluded;	/* in a function that the connections of its site leave out */
};

/* Properties of all gates of one kind. */
enum marker_gate_flags {
	MARKER_GATE_F_CODE = 1,		/* opened by writing code here; a kprobe gate is not */
	MARKER_GATE_F_5BYTE = 2,	/* may become another 5-byte kind when loaded */
	MARKER_GATE_F_SPLIT = 4,	/* closed it is several instructions */
	MARKER_GATE_F_CALL = 8,		/* open it is a call of gate->to */
	MARKER_GATE_F_ALWAYS_CALL = 16,	/* open it is a call of gate->cold, closed of gate->to */
};

/**
 * struct marker_gate_ops - a kind of gate
 * @name: as in the macro, in lower case: "flip", "nop5", ...
 * @kind: of rows that are registered: one of the numbers that enum marker_gate_kind reserves
 * @built: the kind whose closed bytes the compiler leaves; they are the same for all
 *	   kinds that share it, and a gate may be found as any of these
 * @flags: enum marker_gate_flags
 * @encode: writes the bytes of a gate in that state; returns their number.  NULL: no
 *	    gate of this kind is code
 * @next: returns where a CPU continues behind a closed gate; NULL: behind its bytes
 * @is_closed: returns true if bytes that @encode does not make are a closed gate, too; NULL: no
 *
 * The functions depend on their arguments only.  Context of all functions: any.
 */
struct marker_gate_ops {
	const char *name;
	u8 kind;
	u8 built;
	u8 flags;
	unsigned int (*encode)(const struct marker_gate_state *gate, bool open,
			       u8 bytes[MARKER_GATE_CODE_MAX]);
	u8 *(*next)(const struct marker_gate_state *gate);
	bool (*is_closed)(const u8 *found);
};

/*
 * The symbol by which markers.ko finds the rows of a loaded module: an array that ends with a row
 * without a name. Its number is incremented when struct marker_gate_ops or struct
 * marker_gate_state changes.
 */
#define MARKER_GATE_OPS		__marker_ops_1
extern const struct marker_gate_ops MARKER_GATE_OPS[];

/**
 * struct marker_pad_ops - landing pads of gates whose operand bytes limit the targets
 * @alloc: finds a place that the gate at @code can reach, or returns NULL
 * @free: gives it back
 * @encode: writes the bytes of a pad that leads to @cold; NULL: of an unused pad
 * @usage: returns the number of pads and the number of bytes for pads
 *
 * Context: marker_mutex.
 */
struct marker_pad_ops {
	u8 *(*alloc)(const u8 *code);
	void (*free)(u8 *pad);
	unsigned int (*encode)(const u8 *pad, const u8 *cold, u8 bytes[MARKER_GATE_CODE_MAX]);
	void (*usage)(unsigned int *used, unsigned int *bytes);
};

/**
 * struct marker_gate_arch - functions and gates of an architecture
 * @gates: rows of its gates, each at its kind; a kind that it lacks has no name
 * @pads: NULL: no gate of its needs any, and none becomes pun
 * @kprobe: the breakpoint that a kprobe sets
 * @kprobe_len: length of that breakpoint in bytes
 * @kprobe_jump: the first byte of an optimised kprobe; 0: kprobes are never optimised
 * @encode_call: the bytes of a call at @code of @to; returns their number.  Where @to is
 *		 out of reach, the call leads to a stub beside @none for the link's function
 * @decode_call: returns the target of the call at @code; NULL: no call
 * @none_of_call: empty stub in the module that contains @to.  NULL: @to
 *
 * Without @encode_call and @decode_call no call is recorded, and none is patched.
 */
struct marker_gate_arch {
	struct marker_gate_ops gates[MARKER_GATE_KINDS];
	const struct marker_pad_ops *pads;
	u8 kprobe[MARKER_GATE_CODE_MAX], kprobe_len;
	u8 kprobe_jump;
	unsigned int (*encode_call)(const u8 *code, const void *to, const u8 *none,
				    u8 bytes[MARKER_GATE_CODE_MAX]);
	u8 *(*decode_call)(const u8 *code);
	u8 *(*none_of_call)(u8 *to);
};

extern const struct marker_gate_arch marker_gate_arch;

/* The row of a kind; NULL: it is not registered. */
const struct marker_gate_ops *marker_gate_ops(unsigned int kind);

/* Return the name of a kind, or "unknown" if the kind is not registered. */
const char *marker_gate_kind_name(unsigned int kind);

/* -EINVAL for an unknown name. */
int marker_gate_kind_parse(const char *name);

/* True if markers.ko writes code to open the gate (for a kprobe gate, kprobes does). */
bool marker_gate_kind_is_code(unsigned int kind);

/* True if one kind may be turned into the other at load. */
bool marker_gate_kind_is_5byte(unsigned int kind);

/* True if the gate is the call of its site. */
bool marker_gate_kind_is_call(unsigned int kind);

/* True if a gate of this kind is a call when it is open, or closed. */
bool marker_gate_kind_calls(unsigned int kind, bool open);

/* Return the kind that the compiler emits for gates of @kind, which may be rewritten at load. */
unsigned int marker_gate_kind_built(unsigned int kind);

/*
 * The bytes of @gate in the state asked for.  Returns their number, 0 for a
 * gate without code.
 */
unsigned int marker_gate_encode(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX]);

/* Encode @gate as the compiler left it; return the number of bytes, as above. */
unsigned int marker_gate_encode_built(const struct marker_gate_state *gate,
				      u8 bytes[MARKER_GATE_CODE_MAX]);

/*
 * True if @found, read at @gate, are bytes that the compiler or any markers.ko has written;
 * *@open: they lead to the cold block. A jump to the pad of another markers.ko is not recognised.
 */
bool marker_gate_recognise(const struct marker_gate_state *gate, const u8 *found, bool *open);

/* Return the address where a CPU continues that meets the gate in this state. */
u8 *marker_gate_next(const struct marker_gate_state *gate, bool open);

/* True if the closed gate is of several instructions: one may stand inside. */
bool marker_gate_is_split(const struct marker_gate_state *gate);

/* Calls as the architecture encodes them; 0 and NULL if it has none. */
unsigned int marker_gate_encode_call(const u8 *code, const void *to, const u8 *none,
				     u8 bytes[MARKER_GATE_CODE_MAX]);
u8 *marker_gate_decode_call(const u8 *code);
u8 *marker_gate_none_of_call(u8 *to);

/* Pads as struct marker_pad_ops has them; NULL and 0 without pads. */
u8 *marker_pad_alloc(const u8 *code);
void marker_pad_free(u8 *pad);
unsigned int marker_pad_encode(const u8 *pad, const u8 *cold, u8 bytes[MARKER_GATE_CODE_MAX]);
void marker_pad_usage(unsigned int *used, unsigned int *bytes);

/*
 * Add rows from outside of the core: one array that ends with a row without a name, and that must
 * stay valid until it is removed. Adding the same array again does nothing. -EINVAL: a row is
 * incomplete, or its kind is neither a reserved number nor a kind of the core that the
 * architecture lacks; -EEXIST: its kind or its name is taken; *@bad is that row. After an error no
 * row has been added. Context: marker_mutex, or before there are any tables.
 */
int marker_gate_ops_add(const struct marker_gate_ops *ops, const struct marker_gate_ops **bad);
void marker_gate_ops_remove(const struct marker_gate_ops *ops);

/* True if @row is one of @ops. */
bool marker_gate_ops_has(const struct marker_gate_ops *ops, const struct marker_gate_ops *row);

#endif
