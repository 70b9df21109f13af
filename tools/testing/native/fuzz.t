#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kept inputs of the fuzzer and 20,000 new ones for each parser of the core. The long
# form is `make fuzz`.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
run=$here/fuzz/run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ends() {
	wanted=$1
	shift
	"$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ "$status" = "$wanted" ]
}

check "a number of inputs that is none is refused" ends 2 "$run" 0
check "a parser that there is not is refused" ends 2 "$run" --only nothing
check "no input makes a parser fail" ends 0 "$run" 20000
for parser in command filter format table; do
	check "$parser has been given them" grep -qE "^$parser: [2-9][0-9]{4} inputs" "$work/out"
done
grep '^fuzz: [0-9]' "$work/out" | sed 's/^/# /'

# The parsers with a planted error.
mkdir "$work/tree"
(cd "$here/../../.." && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work/tree")
sed -i 's/nsuffix >= sizeof(arg->decode)/nsuffix > sizeof(arg->decode)/' "$work/tree/markers/plan.c"
check "an error by one in the format's parser is found" ends 1 "$work/tree/tools/testing/native/fuzz/run" --only format 200000
check "the input and the place are printed" grep -qE "FAILS with the input in /.*: .*markers/plan.c" "$work/out"
printf '%s\n' "b'good'" "nonsense" >"$work/tree/tools/testing/native/fuzz/corpus/filter.txt"
check "a line of a corpus that is no input is refused" ends 2 "$work/tree/tools/testing/native/fuzz/run" --only filter 10
check "file and line are named" grep -q "filter.txt:2: expected a bytes literal, found 'nonsense'" "$work/out"
tap_done
