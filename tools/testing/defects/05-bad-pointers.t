#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A site passes an invalid pointer to a condition and to every probe.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
wants_debug_kernel
guest defect-05 2
