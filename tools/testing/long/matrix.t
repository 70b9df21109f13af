#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A row of the matrix: the suites in guests that have the kernel KERNEL (words of `kmark
# kernel`; none: the distribution's 6.1), SMP CPUs of the model CPU, and APPEND on its command
# line. Each is a test here; what failed in it is behind it, and what it said last. SUITES are
# others than those below. WANTED is what `where` must say of the guest.
here=$(dirname "$(readlink -f "$0")")/..
suites="where core bulk kprobe-sites neighbours probes record stress thread-probes tools wild"
# One CPU is not changed under the feet of another.
[ "${SMP:-2}" = 1 ] || suites="$suites hammer"
suites=${SUITES:-$suites}
# Emulated CPUs that take turns on two of the machine spend most of a toggle waiting.
[ "${SMP:-2}" -le 2 ] || export TOGGLES="${TOGGLES:-500}"

n=0
failed=0
out=$(mktemp)
err=$(mktemp)
trap 'rm -f "$out" "$err"' EXIT
for suite in $suites; do
	n=$((n + 1))
	good=
	if ! "$here/guest/$suite.t" >"$out" 2>"$err" || grep -q '^not ok' "$out"; then
		good='not ' failed=1
	fi
	if why=$(grep '^1\.\.0 # SKIP' "$out"); then
		echo "ok $n - $suite: all skipped # SKIP ${why#*SKIP }"
		continue
	fi
	grep '^# guest: ' "$out"
	echo "${good}ok $n - $suite: $(grep -c '^ok' "$out") tests, $(grep -c '^ok .* # SKIP' "$out") skipped"
	grep -A 4 '^not ok' "$out" | sed 's/^/# /'
	[ ! "$good" ] || tail -n 30 "$err" | sed 's/^/# /'
done
echo "1..$n"
exit $failed
