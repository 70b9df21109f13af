#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Several sessions of the recorder at once; snapshots that events take.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes accel=parallel append=tsc=reliable
guest sessions 2 "$top" "$HOME"
