#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every conversion of printk() through every probe, and on to trace-cmd, perf,
# bpftrace and babeltrace2, beside what printk() makes of the same arguments.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# With a thread for each CPU QEMU can stay at an int3 of the kernel's own patching.
# shellcheck disable=SC2034 # guest() reads them
host_root=yes accel=tcg-single
guest defect-13 2 "$top" "$HOME"
