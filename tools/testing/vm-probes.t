#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# With a thread for each CPU QEMU can stay at an int3 of the kernel's own patching.
# shellcheck disable=SC2034 # guest() reads it
accel=tcg-single
guest probes 2
