// SPDX-License-Identifier: GPL-2.0-only
/* Part of markers.ko: functions that only its test modules use. */
#include "patch.h"
#include "quiesce.h"
#include "registry.h"

EXPORT_SYMBOL_GPL(marker_gate_encode);
EXPORT_SYMBOL_GPL(marker_gate_kind_is_call);
EXPORT_SYMBOL_GPL(marker_gate_next);
EXPORT_SYMBOL_GPL(marker_gate_is_split);
EXPORT_SYMBOL_GPL(marker_mutex);
EXPORT_SYMBOL_GPL(marker_patch_apply);
EXPORT_SYMBOL_GPL(marker_quiesce_late);
EXPORT_SYMBOL_GPL(marker_registry_next_marker);
