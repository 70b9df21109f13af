#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stacks of an event begin at the marked function, in ftrace, perf and bpftrace.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# With a thread for each CPU QEMU can stay at an int3 of the kernel's own patching.
# shellcheck disable=SC2034 # guest() reads them
host_root=yes accel=tcg-single
guest defect-22 2
