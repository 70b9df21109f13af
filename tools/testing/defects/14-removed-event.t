#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records of a removed event stay in the buffer, and are read.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
on_debug_kernel
# With a thread for each CPU QEMU can stay at an int3 of the kernel's own patching.
# shellcheck disable=SC2034 # guest() reads it
accel=tcg-single
guest defect-14 2
