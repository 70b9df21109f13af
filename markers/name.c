// SPDX-License-Identifier: GPL-2.0-only
/* Comparison of the names of markers with words and globs (name.h). */
#include "debug_site.h"
#include "marker_probe.h"
#include "name.h"

bool marker_name_is_debug(const char *name)
{
	return name && !strncmp(name, MARKER_DEBUG_PREFIX, strlen(MARKER_DEBUG_PREFIX));
}

const char *marker_name_compared(const char *name, const char *word)
{
	return strchr(word, '/') || marker_name_is_debug(name) ? name : marker_name_part(name);
}

bool marker_name_is(const char *name, const char *word)
{
	return !strcmp(marker_name_compared(name, word), word);
}
EXPORT_SYMBOL_GPL(marker_name_is);

bool marker_name_matches(const char *name, const char *glob)
{
	return glob_match(glob, marker_name_compared(name, glob));
}
