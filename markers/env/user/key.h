/* SPDX-License-Identifier: GPL-2.0-only */
/* Natively the gate of MARK_KEY() is of code, and there is no key to set. */
#ifndef NATIVE_KEY_H
#define NATIVE_KEY_H

static inline void marker_key_set(void *key, bool on)
{
}

#endif
