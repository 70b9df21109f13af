#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# An unstable TSC, and a clock that steps back.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes append=tsc=unstable
guest defect-18 2 "$top" "$HOME"
