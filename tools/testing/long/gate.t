#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark kernel-cost in many boots: finds one planted instruction in 100 of 100 images, in
# every operation that executes it and in no other; says nothing in 1000 comparisons
# of a kernel with itself; prints the same JSON twice. Half an hour; run by name: prove
# tools/testing/long/gate.t
# $KERNEL: a folder of kmark dev kernel (default: the kernel of the distribution).
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
python=$("$top/tools/setup" --path python)/bin/python

check "one planted instruction: found in 100 of 100" "$python" "$here/gate_runs.py" plants 100 ${KERNEL:+"$KERNEL"}
printf '%s\n' "$tap_output"
check "a kernel against itself: no alarm in 1000" "$python" "$here/gate_runs.py" selves 1000 ${KERNEL:+"$KERNEL"}
printf '%s\n' "$tap_output"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$here/../gate/plant.py" "$work" || exit 1
for run in one two; do
	"$top/tools/kmark" kernel-cost --json --boots 1 "$work/old/image" "$work/new/image" >"$work/$run.json"
done
check "something is in the JSON" holds "$(cat "$work/one.json")" '"differs"'
check "the JSON of two runs is the same, byte for byte" cmp "$work/one.json" "$work/two.json"
tap_done
