#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Where arguments of sites without code are: operands/x86.c and operands/arm64.c, on any machine.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
top=$(readlink -f "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# reads ARCH COUNT
reads() {
	check "$1: the program builds" make -s -C "$top" "build/native/operands_$1"
	"$top/build/native/operands_$1" >"$work/out"
	while read -r line; do
		case $line in
		*'ok '*) check "$1: ${line#* - }" same ok "${line%% *}" ;;
		esac
	done <"$work/out"
	check "$1: all checks were made" same "$2" "$(grep -c '^ok' "$work/out")"
}
reads x86 30
reads arm64 19
tap_done
