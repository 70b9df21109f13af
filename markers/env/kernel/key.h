/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_KEY_H
#define MARKERS_KEY_H

#include <linux/jump_label.h>

/* Sets the static key that is the gate of a MARK_KEY() site.  May sleep. */
static inline void marker_key_set(void *key, bool on)
{
	if (on)
		static_key_enable(key);
	else
		static_key_disable(key);
}

#endif
