/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of markers, SYSTEM/NAME, and the words that stand for them: SYSTEM/NAME, or NAME for the
 * markers of that name in all systems but those of debug sites, whose names begin with
 * MARKER_DEBUG_PREFIX. marker_name_is(), of marker_probe.h, is here, too.
 */
#ifndef MARKERS_NAME_H
#define MARKERS_NAME_H

#include "env.h"

/* Return the part of a name behind its '/', or the whole name if there is none. */
static inline const char *marker_name_part(const char *name)
{
	const char *slash = strchr(name, '/');

	return slash ? slash + 1 : name;
}

/* Return the part of a name that is compared with a word or a glob. */
const char *marker_name_compared(const char *name, const char *word);

/* True if a name matches a glob, which is compared as a word is. */
bool marker_name_matches(const char *name, const char *glob);

/* True if a name, or the beginning of a glob, is of debug sites. @name: may be NULL. */
bool marker_name_is_debug(const char *name);

#endif
