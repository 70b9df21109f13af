/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_DEBUG_KEY_H
#define MARKERS_DEBUG_KEY_H

struct marker_debug_site;

/* The site goes with its module: its key is no longer kept. */
void marker_debug_key_forget(struct marker_debug_site *site);

#endif
