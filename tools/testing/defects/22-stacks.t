#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stacks of an event begin at the marked function, in ftrace, perf and bpftrace.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest defect-22 2
