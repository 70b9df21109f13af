/* SPDX-License-Identifier: GPL-2.0-only */
/* The bounds of the tables as markers.lds makes them; included by env_site.h. */
#ifndef MARKERS_BOUNDS_H
#define MARKERS_BOUNDS_H

/*
 * Without CONFIG_KALLSYMS_ALL a module that is loaded keeps its symbols of text only.
 * So there it also has a struct marker_bounds in text, once in each object, which is
 * read and never executed.  objtool would decode it.
 */
#if defined(__KERNEL__) && !defined(CONFIG_KALLSYMS_ALL) && !defined(CONFIG_OBJTOOL)
#define MARKER_BOUNDS_IN_TEXT	1
#define MARKER_KEEP_BOUNDS						\
	; asm volatile(".ifndef __marker_bounds\n\t"			\
		     ".pushsection .text.marker_bounds, \"ax\"\n\t"	\
		     ".balign 8\n"					\
		     "__marker_bounds:\n\t"				\
		     ".quad __marker_sites, __marker_sites_end\n\t"	\
		     ".quad __marker_gates, __marker_gates_end\n\t"	\
		     ".quad __marker_calls, __marker_calls_end\n\t"	\
		     ".quad __marker_abi, __marker_abi_end\n\t"		\
		     ".popsection\n\t"					\
		     ".endif")
#else
#define MARKER_BOUNDS_IN_TEXT	0
#define MARKER_KEEP_BOUNDS
#endif

/*
 * Every site asks for a symbol of markers.lds, so that a module which was
 * linked without does not build ("__marker_sites" undefined).  Not loaded.
 */
#define MARKER_NEED_BOUNDS						\
	extern struct marker_site __marker_sites[];			\
	static const struct marker_site *const __marker_need		\
		__section(".discard.marker_need") __used = __marker_sites	\
		MARKER_KEEP_BOUNDS

/* Once in each object: markers.ko checks what it was compiled with. */
#define MARKER_DEFINE_ABI						\
	static const struct marker_abi __marker_abi_entry		\
		__section(".discard_marker_abi") __used = MARKER_ABI

#endif
