#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# trace-cmd, perf, bpftrace and babeltrace2, as the distribution has them, from
# the host's root.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest tools 2 "$top" "$HOME"
