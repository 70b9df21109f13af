// SPDX-License-Identifier: GPL-2.0-only
/* No site is of a kind of this folder where there are no gates of code. */
#include "gate.h"

const struct marker_gate_ops MARKER_GATE_OPS[] = { { } };
