#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A snapshot that is killed, two at once, and several while events come at full rate.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes append=tsc=reliable
guest defect-17 2 "$top" "$HOME"
