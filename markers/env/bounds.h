/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bounds of the tables as markers.lds makes them; included by env_site.h, which
 * defines MARKER_KEEP_BOUNDS before.
 */
#ifndef MARKERS_BOUNDS_H
#define MARKERS_BOUNDS_H

/*
 * Every site asks for a symbol of markers.lds, so that a module which was
 * linked without does not build ("__marker_sites" undefined).  Not loaded.
 */
#define MARKER_NEED_BOUNDS						\
	extern struct marker_site __marker_sites[];			\
	static const struct marker_site *const __marker_need		\
		__section(".discard.marker_need") __used = __marker_sites	\
		MARKER_KEEP_BOUNDS

/*
 * Name, format and place of a site, for the check of the build (formats.awk); not loaded, and
 * without a gap between them.
 */
#define MARKER_TEXT_SECTION						\
	__section(".discard.marker_formats") __used __aligned(1)
#define MARKER_TEXT_PLACE	"\003" __FILE__ ":" MARKER_STRING(__LINE__)

/* The version and sizes of the entries that this object was compiled with, once in each object. */
#define MARKER_DEFINE_ABI						\
	static const struct marker_abi __marker_abi_entry		\
		__section(".discard_marker_abi") __used = MARKER_ABI

#endif
