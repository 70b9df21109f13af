#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
wants_debug_kernel
# A probe holds one CPU while the other works.
# shellcheck disable=SC2034 # guest() reads it
accel=parallel
guest defect-06 2
