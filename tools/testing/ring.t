#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The ring of the probe ctf, in a program: a writer at full rate, a signal handler
# that interrupts it, a reader.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
top=$(readlink -f "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build_stress() {
	gcc -O2 -std=gnu11 -fno-pie -no-pie -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE -pthread \
		-mno-red-zone -fno-strict-aliasing -I"$top/markers/env/user" \
		-I"$top/markers" -I"$top/probes" -I"$top/probes/arch/um" \
		-o "$work/stress" "$here/ring/stress.c"
}
check "the program builds" build_stress
for mode in discard overwrite; do
	for clock in tsc step; do
		for reader in live flush snapshot; do
			check "$mode, $clock, $reader" "$work/stress" $mode $clock $reader "${MS:-500}"
		done
	done
done
tap_done
