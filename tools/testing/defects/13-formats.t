#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every conversion of printk() through every probe, and on to trace-cmd, perf,
# bpftrace and babeltrace2, beside what printk() makes of the same arguments.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest defect-13 2 "$top" "$HOME"
