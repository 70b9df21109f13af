#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hammer where QEMU's emulation with a thread for each CPU does not hold: on
# the kernel's own static keys, after which it runs stale code and the kernel
# dies, and across a page. Under emulation with one thread for all CPUs, which is slow;
# TOGGLES (default 300).
# guest: script=hammer.t

on_host() {
	case ${ARCH-} in
	arm64) gates="key nop5" ;;
	*) gates="key nop5 flip pun" ;;
	esac
	# shellcheck disable=SC2086 # a word a gate
	boot "${TOGGLES:-300}" 1 $gates
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
