/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The section tables: the entries of MARK() in an object file, and the
 * ABI between instrumented code and markers.ko.
 *
 *	.discard_markers	struct marker_site, one per MARK() in the source
 *	.discard_marker_gates	struct marker_gate, one per copy of its gate
 *	.discard_marker_calls	struct marker_call, one per copy of its call
 *	.discard_marker_abi	struct marker_abi, one per object file
 *
 * The compiler may copy the code of a site (inlining, loop unrolling), so the
 * gates and the calls have tables of their own and point back at the site.
 *
 * The names begin with ".discard_" because objtool of an IBT kernel takes a
 * pointer to text in any other section for an indirect branch target and
 * asks for an ENDBR there.  With the underscore instead of a dot, scripts/
 * module.lds keeps the section.
 *
 * Not here: the state of a site at run time (table.h).
 */
#ifndef MARKERS_MARKER_ABI_H
#define MARKERS_MARKER_ABI_H

#include "env_site.h"

struct marker_link;
struct marker_site;

/*
 * The way a gate is built. The number is part of the ABI: append only. Numbers from
 * MARKER_GATE_OTHERS to MARKER_GATE_OTHERS_LAST are for gates outside of the core;
 * marker_gates_register() registers them.
 */
enum marker_gate_kind {
	MARKER_GATE_GENERIC,	/* load a flag, test it, branch */
	MARKER_GATE_IMM,	/* mov $0,%al; test; jne: the thread's "optimized" */
	MARKER_GATE_NOP5,	/* 0f 1f 44 00 00 <-> jmp rel32 */
	MARKER_GATE_FLIP,	/* test $imm32,%eax <-> jmp rel32 */
	MARKER_GATE_KEY,	/* the kernel's static key */
	MARKER_GATE_AUTO,	/* a 5-byte gate: markers.ko chooses at load */
	MARKER_GATE_PUN,	/* a NOP whose operand is a displacement <-> jmp rel32 */
	MARKER_GATE_OTHERS,
	MARKER_GATE_OTHERS_LAST = 13,
	MARKER_GATE_KPROBE,	/* nothing; a kprobe while open */
	MARKER_GATE_SWITCH,	/* beside another: a function that is called */
	MARKER_GATE_DEBUG,	/* a pr_debug() of the kernel: its call, and its static key */
	MARKER_GATE_DEBUG_TAIL,	/* the same, the call being a jump */
	MARKER_GATE_DEBUG_KPROBE,	/* the same, by a kprobe at its function */
	MARKER_GATE_KINDS
};

/* Four bits an argument, the first in the lowest. */
enum marker_type {
	MARKER_TYPE_NONE,	/* past the last argument */
	MARKER_TYPE_S8, MARKER_TYPE_U8, MARKER_TYPE_S16, MARKER_TYPE_U16,
	MARKER_TYPE_S32, MARKER_TYPE_U32, MARKER_TYPE_S64, MARKER_TYPE_U64,
	MARKER_TYPE_STR,	/* char pointer, printed as the format says */
	MARKER_TYPE_PTR,
};

/* Most arguments a MARK() may have. */
#define MARKER_ARGS_MAX 8

/*
 * Bytes of the longest name of a marker, with the NUL: the name of a module, of at most 55 bytes,
 * a '/' and 127 bytes.
 */
#define MARKER_NAME_SIZE	184

/* Bytes of the longest format, and of the longest name of an argument, with the NUL. */
#define MARKER_FORMAT_SIZE	1024
#define MARKER_ARG_NAME_MAX	32

/* Bytes of the longest array that a marker records, and of a value's longest name, as above. */
#define MARKER_BYTES_MAX	64
#define MARKER_SYMBOL_MAX	48

/**
 * struct marker_site - one MARK() of the source
 * @link: first argument of the probe
 * @name: name of the marker
 * @format: format of printk(); MARK_FIELDS() has two more conversions (plan.h)
 * @file: as __FILE__
 * @types: types of the arguments, enum marker_type, 4 bits each, the first in the lowest
 * @line: as __LINE__
 * @kind: enum marker_gate_kind
 * @on: flag of a generic gate; in a debug site, number of arguments in front of those of the
 *	format: 2, driver and device; 1, the interface
 *
 * The compiler writes all members; @link and @on belong to markers.ko (dispatch.c)
 * once the module is loaded.
 */
struct marker_site {
	const struct marker_link *link;
	const char *name;
	const char *format;
	const char *file;
	u32 types;
	u16 line;
	u8 kind;
	u8 on;
};

/**
 * struct marker_gate - one copy of the gate of a site
 * @code: the patched instruction, the static key, the switch
 * @cold: the cold block, where an open gate jumps to; of a site without code its
 *	operands; 0: the gate is no code, but the static key of a key site or a switch
 * @site: the struct marker_site of the gate
 *
 * All are offsets from the field that holds them.
 */
struct marker_gate {
	s32 code;
	s32 cold;
	s32 site;
};

/**
 * typedef marker_switch_fn - called when a site of MARK_BEHIND() opens or closes
 * @open: whether the site opens; the calls of one site alternate
 *
 * Context: may sleep; one call at a time.  Must not connect anything.
 */
typedef void marker_switch_fn(bool open);

/**
 * struct marker_call - one copy of the call of a site
 * @code: a call rel32; the compiler makes it call marker_unconnected()
 * @site: the struct marker_site of the call
 *
 * Both members are offsets from their own addresses.
 */
struct marker_call {
	s32 code;
	s32 site;
};

/* Counts up when the tables change, be it only the meaning of an entry. */
#define MARKER_ABI_VERSION 1

/**
 * struct marker_abi - with which version of this file an object file was compiled
 * @version: MARKER_ABI_VERSION
 * @site: bytes of a struct marker_site
 * @gate: bytes of a struct marker_gate
 * @call: bytes of a struct marker_call
 */
struct marker_abi {
	u16 version;
	u16 site, gate, call;
};

#define MARKER_ABI							\
{									\
	.version = MARKER_ABI_VERSION,					\
	.site = sizeof(struct marker_site),				\
	.gate = sizeof(struct marker_gate),				\
	.call = sizeof(struct marker_call),				\
}

/**
 * marker_offset_ptr - the address that a field of the tables leads to
 * @offset: the field
 *
 * Context: any.
 * Return: the address.
 */
static inline void *marker_offset_ptr(const s32 *offset)
{
	return (void *)((unsigned long)offset + *offset);
}

/**
 * marker_gate_kind - the kind of a gate
 * @gate: entry of the gate in the section table
 *
 * Context: any.
 * Return: the kind of its site, or MARKER_GATE_SWITCH for a switch beside the site's own gate.
 */
static inline enum marker_gate_kind marker_gate_kind(const struct marker_gate *gate)
{
	const struct marker_site *site = marker_offset_ptr(&gate->site);

	return gate->cold || site->kind == MARKER_GATE_KEY ? site->kind : MARKER_GATE_SWITCH;
}

/**
 * marker_site_nargs - how many arguments a site has
 * @site: the site
 *
 * Context: any.
 * Return: 0 to MARKER_ARGS_MAX.
 */
static inline unsigned int marker_site_nargs(const struct marker_site *site)
{
	unsigned int n = 0;

	while (n < MARKER_ARGS_MAX && (site->types >> (4 * n) & 15))
		n++;
	return n;
}

/**
 * marker_site_type - the type of an argument
 * @site: the site
 * @arg: index of the argument, from 0
 *
 * Context: any.
 * Return: the type; MARKER_TYPE_NONE past the last argument.
 */
static inline enum marker_type marker_site_type(const struct marker_site *site,
						unsigned int arg)
{
	return arg < MARKER_ARGS_MAX ? site->types >> (4 * arg) & 15 : MARKER_TYPE_NONE;
}

#endif
