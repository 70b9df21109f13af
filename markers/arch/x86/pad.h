/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_ARCH_PAD_H
#define MARKERS_ARCH_PAD_H

#include "gate.h"

/* The landing pads of pun gates. */
extern const struct marker_pad_ops marker_pad_ops_x86;

#define MARKER_PAD_OPS	(&marker_pad_ops_x86)

#endif
