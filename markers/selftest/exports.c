// SPDX-License-Identifier: GPL-2.0-only
/* Part of markers.ko: what its test modules use of it, and nobody else. */
#include "patch.h"
#include "registry.h"

EXPORT_SYMBOL_GPL(gate_encode);
EXPORT_SYMBOL_GPL(gate_next);
EXPORT_SYMBOL_GPL(gate_is_split);
EXPORT_SYMBOL_GPL(markers_mutex);
EXPORT_SYMBOL_GPL(patch_apply);
EXPORT_SYMBOL_GPL(registry_find_marker);
