/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MARK(): one line that instruments a place in the code.  The only header
 * that instrumented code includes.
 *
 *	MARK(subsys_event, "%d %p", count, ptr);
 *
 * The name is an identifier. The name of the marker is MODULE/NAME; several sites
 * of a module may share it.  The format is that of printk() and is checked by the compiler
 * against the arguments, of which there may be eight: integers up to 64 bits,
 * pointers and strings.  While no probe is connected the arguments are not
 * evaluated.  Arguments and probes must not sleep: a disconnect waits for tasks
 * that are preempted in between, but takes a sleeping task for a task that has left.
 * CONFIG_DEBUG_ATOMIC_SLEEP reports arguments and probes that sleep.
 *
 * MARK(name, fmt, a, b) becomes
 *
 *	static struct marker_site site = { name, fmt, file, line, types };
 *
 *	if (marker_gate_auto(&site))			// e.g. a 5-byte NOP
 *		call probe(site.link, &site, a, b);	// out of line
 *
 * MARK_FIELDS() names and types its arguments instead of a format:
 *
 *	MARK_FIELDS(subsys_open, field(u16, port), field(str, path), bytes(mac, 6));
 *
 * MARK() has the best gate of the architecture; a parameter of markers.ko
 * chooses another.  MARK_GENERIC() patches no code and so also works in code that
 * must not be patched: early boot, the patcher itself, and __init functions of a
 * module whose init has begun.  Macros that fix another kind of gate are in
 * marker_variants.h.
 *
 * Context: any, including NMI, as far as the connected probes allow it.
 */
#ifndef MARKERS_MARKER_H
#define MARKERS_MARKER_H

#include "env_site.h"
#include "marker_args.h"
#include "marker_abi.h"
#include "marker_fields.h"
#include "marker_site.h"

/*
 * The system of the markers of a file, as TRACE_SYSTEM is: an identifier that the file defines as
 * MARK_SYSTEM before it includes any header, or else the name of the module.  A marker is called
 * SYSTEM/NAME.  A program has no such default: its markers are called NAME.
 */
#ifdef MARK_SYSTEM
#define MARKER_NAME(name)	MARKER_STRING(MARK_SYSTEM) "/" name
#elif defined(KBUILD_MODNAME)
#define MARKER_NAME(name)	KBUILD_MODNAME "/" name
#else
#define MARKER_NAME(name)	name
#endif

/**
 * KMARK - a marker, with the best gate of the architecture; MARK() is the same
 * @name: name of the marker in its system, an identifier, which may also be a macro; sites may
 *	share it
 * @...: a format of printk(), a string literal, "" for a marker that has no arguments; then its
 *	arguments, at most MARKER_ARGS_MAX; not evaluated while no probe is connected
 *
 * As in printk(), a KERN_* in front of the format and newlines at its end are dropped, and
 * a macro may be several arguments.
 *
 * Context: any, including NMI, as far as the connected probes allow it.  The arguments
 * must not sleep.
 */
#define KMARK(name, ...) \
	MARKER(auto, AUTO, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)

/*
 * Only the macros that users write have the parameter "name", because "#" and "##" do not expand
 * it. They pass on its text, and an identifier that compiles only if the name is one. They also
 * expand __VA_ARGS__ before the arguments are counted, for macros that stand for several
 * arguments.
 */
#define MARKER(gate, KIND, name, id, fmt, ...)				\
do {									\
	MARKER_SITE(MARKER_KIND(KIND), name, id, fmt, ##__VA_ARGS__);	\
	if (unlikely(marker_gate_##gate(&__marker_site)))		\
		MARKER_AWAKE(marker_call(&__marker_site, ##__VA_ARGS__)); \
} while (0)

/**
 * KMARK_FIELDS - a marker whose arguments are named fields; MARK_FIELDS() is the same
 * @name: as of KMARK()
 * @...: the fields, at most MARKER_ARGS_MAX, each one of
 *	field(TYPE, NAME) or field(TYPE, NAME, ARGUMENT): u8 to u64, s8 to s64, bool, ptr, str;
 *	bytes(NAME, N) or bytes(NAME, N, POINTER): N bytes, 1 to 64, from where POINTER leads;
 *	symbolic(NAME, ARGUMENT, ENUMERATOR...): an integer, and the names of its values.
 *	Without an argument it is the variable of that name.
 *
 * The gate and the code are those of KMARK() with the same arguments.
 *
 * Context: as of KMARK().
 */
#define KMARK_FIELDS(name, ...)						\
	MARKER_OF_FIELDS(MARKER_NAME(#name), __marker_is_##name, ##__VA_ARGS__)
#define MARKER_OF_FIELDS(name, id, ...)					\
do {									\
	MARKER_FIELDS_ASSERT(_, ##__VA_ARGS__)				\
	MARKER_FIELDS_FORMAT(name, ##__VA_ARGS__);			\
	MARKER_FIELDS_SITE_(name, id MARKER_FIELDS_ARGS(_, ##__VA_ARGS__)); \
} while (0)

/* The arguments are counted when there are commas between them. */
#define MARKER_FIELDS_SITE_(...)	MARKER_FIELDS_SITE(__VA_ARGS__)
#define MARKER_FIELDS_SITE(name, id, ...)				\
	MARKER_ENTRY(MARKER_KIND(AUTO), name, id, (const char *)&__marker_format + 1, \
		     ##__VA_ARGS__);					\
	if (unlikely(marker_gate_auto(&__marker_site)))			\
		MARKER_AWAKE(marker_call(&__marker_site, ##__VA_ARGS__))

/**
 * KMARK_GENERIC - a marker whose gate is a flag that is loaded and tested
 * @name: as of KMARK()
 * @...: as of KMARK()
 *
 * Context: as of KMARK(); also where code must not be patched.
 */
#define KMARK_GENERIC(name, ...) \
	MARKER_GENERIC(MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARKER_GENERIC(name, id, fmt, ...)				\
do {									\
	MARKER_SITE(MARKER_GATE_GENERIC, name, id, fmt, ##__VA_ARGS__);	\
	if (unlikely(marker_gate_generic(&__marker_site)))		\
		MARKER_AWAKE(marker_call_pointer(&__marker_site,	\
						 ##__VA_ARGS__));	\
} while (0)

/**
 * KMARK_KPROBE - a marker without any instruction
 * @name: as of KMARK()
 * @...: the format as of KMARK(); then plain variables, members and constants, evaluated always
 *
 * The object file says where the site is and where its arguments are, and a kprobe is set
 * there when it is connected.  Documentation/add-a-marker.md says where such a site must
 * not stand.
 *
 * Context: where a kprobe may be set.
 */
#define KMARK_KPROBE(name, ...) \
	MARKER_KPROBE(MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARKER_KPROBE(name, id, fmt, ...)				\
do {									\
	MARKER_SITE(MARKER_KIND(KPROBE), name, id, fmt, ##__VA_ARGS__);	\
	marker_kprobe_site(&__marker_site, ##__VA_ARGS__);			\
} while (0)

/**
 * KMARK_BEHIND - a marker behind a test that the code makes anyway
 * @set: a marker_switch_fn of the same module or kernel, which makes the test true while
 *	the marker is open: then a closed one costs nothing at all
 * @name: as of KMARK()
 * @...: as of KMARK()
 *
 * The pointer is for objtool of an IBT kernel, which does not look into sections
 * .discard*: without another pointer to @set it seals @set against indirect calls.
 *
 * Context: as of KMARK().
 */
#define KMARK_BEHIND(set, name, ...) \
	MARKER_BEHIND(set, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARKER_BEHIND(set, name, id, fmt, ...)				\
do {									\
	static marker_switch_fn *const __marker_switch __used = (set);	\
	MARKER_SITE(MARKER_KIND(AUTO), name, id, fmt, ##__VA_ARGS__);	\
	MARKER_GATE_RECORD(set, &__marker_site);			\
	if (unlikely(marker_gate_auto(&__marker_site)))			\
		MARKER_AWAKE(marker_call(&__marker_site, ##__VA_ARGS__)); \
} while (0)

/*
 * The names that are used; not by way of the names above, which would expand the name of the
 * marker.  Code that has a MARK() of its own defines MARKER_NO_SHORT_NAMES before it includes
 * this, and uses the names above.
 */
#ifndef MARKER_NO_SHORT_NAMES
#define MARK(name, ...) \
	MARKER(auto, AUTO, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_FIELDS(name, ...)						\
	MARKER_OF_FIELDS(MARKER_NAME(#name), __marker_is_##name, ##__VA_ARGS__)
#define MARK_GENERIC(name, ...)	MARKER_GENERIC(MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_KPROBE(name, ...)	MARKER_KPROBE(MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#define MARK_BEHIND(set, name, ...)					\
	MARKER_BEHIND(set, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)
#endif

/* The cold block: arguments and call, where nothing may sleep. */
#define MARKER_AWAKE(call)						\
do {									\
	non_block_start();						\
	call;								\
	non_block_end();						\
} while (0)

/* The entry of a gate that is no code. */
#define MARKER_GATE_RECORD(what, site)					\
	asm volatile(".pushsection .discard_marker_gates, \"aw\"\n\t"	\
		     ".balign 4\n\t"					\
		     ".long %c0 - ., 0, %c1 - .\n\t"			\
		     ".popsection"					\
		     : : "i" (what), "i" (site))

/**
 * marker_unconnected - target of a site's call while no probe is connected
 *
 * Context: as at the site.
 */
static noinline notrace __maybe_unused void marker_unconnected(void)
{
	barrier();
}

#define marker_call_pointer(site, ...)					\
do {									\
	const struct marker_link *__link = READ_ONCE((site)->link);	\
									\
	__link->func(__link, site, MARKER_WORDS(__VA_ARGS__));		\
} while (0)

#include "gates.h"

MARKER_DEFINE_ABI;

#endif
