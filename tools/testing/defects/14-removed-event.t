#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records of a removed event stay in the buffer, and are read.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
wants_debug_kernel
guest defect-14 2
