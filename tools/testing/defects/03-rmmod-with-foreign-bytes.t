#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
wants_debug_kernel
timeout=300
guest defect-03 2
