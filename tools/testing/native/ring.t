#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The ring of the probe ctf, in a program: a writer at full rate, a signal handler
# that interrupts it, a reader.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
check "the program builds" make -s -C "$top" build/native/ring_stress
for mode in discard overwrite; do
	for clock in tsc step; do
		for reader in live flush snapshot swap; do
			check "$mode, $clock, $reader" "$top/build/native/ring_stress" $mode $clock $reader "${MS:-500}"
		done
	done
done
tap_done
