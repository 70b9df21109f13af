#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own tests of ftrace and kprobes, on kernel $K (default 6.1) as it
# came and with the patches while perf counts all markers: each case ends alike, or better.
# Builds two kernels the first time; then a quarter of an hour or more under
# emulation. CASES (files or folders of tools/testing/selftests/ftrace) narrows it
# down; WITH=ftrace takes patches/config/ftrace to both configurations, without which
# some cases are unsupported.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
K=${K:-6.1}
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run KIND KERNEL COMMAND-LINE [CASE...]: $work/KIND is what the guest has said.
run() {
	kind=$1
	kernel=$2
	append=$3
	shift 3
	"$top/tools/kmark" dev vm --kernel "$kernel" --host-root --smp 2 --timeout 2h \
		--log "$work/$kind.log" --append "$append" -- \
		"$here/ftracetest.sh" "$kernel" "$@" 2>&1 |
		tee "$work/$kind" | sed -u "s/^/# $kind: /" >&2
	results "$work/$kind" | sort >"$work/$kind.results"
}

# results FILE: a line for each case, its name and how it ended.
results() {
	sed -nE 's/^\[([0-9]+)\]( \(instance\))? *(.*[^[:blank:]])[[:blank:]]+\[([A-Z]+)\]$/\3\2 [\1]\t\4/p
		s/^(boot: .*): ([A-Za-z ]+)$/\1\t\2/p' "$1"
}

# healthy KIND: no splat; kmark dev vm would have shown it.
healthy() {
	! grep -A 40 "^kmark: vm: " "$work/$1"
}

# said KIND LINE: a pattern.
said() {
	grep -qxE "$2" "$work/$1" || { grep "^markers: " "$work/$1"; return 1; }
}

# alike CASE BEFORE AFTER: or it passes when it is run again.
alike() {
	[ "$3" = PASS ] || [ "$2" = "$3" ] ||
		grep -qxF "${1% \[*}$(printf '\tPASS')" "$work/passed" || same "$2" "$3"
}

# Print the files of tests that fail only with the patches. They are run again, because some tests are about
# time, of which a guest that shares its CPUs has little.
worse() {
	join -t "$(printf '\t')" "$work/vanilla.results" "$work/patched.results" 2>/dev/null |
		awk -F '\t' '$3 != $2 && $3 != "PASS" { sub(/( \(instance\))? \[[0-9]*\]$/, "", $1); print $1 }' |
		sort -u | while IFS= read -r name; do
			(cd "$patched/tools/testing/selftests/ftrace" &&
				grep -rlF --include='*.tc' "description: $name" test.d)
		done
}

"$top/tools/setup" kernel vm check || exit 1
if ! vanilla=$("$top/tools/kmark" dev kernel ${WITH:+--with "$WITH"} --vanilla "$K") ||
	! patched=$("$top/tools/kmark" dev kernel ${WITH:+--with "$WITH"} "$K"); then
	echo "Bail out! Linux $K cannot be built"
	exit 1
fi
# At once: much of the time they sleep.
# shellcheck disable=SC2086
{
	run vanilla "$vanilla" "" ${CASES:-} &
	run patched "$patched" "" ${CASES:-}
}
wait
again=$(worse)
: >"$work/passed"
for try in second third; do
	# shellcheck disable=SC2086
	[ -z "$again" ] || run $try "$patched" "" $again
	[ -z "$again" ] || sed -n 's/ \[[0-9]*\]\(\tPASS\)$/\1/p' "$work/$try.results" >>"$work/passed"
done
for kind in vanilla patched; do
	check "$kind: the tests come to their end" said $kind "ftracetest ends with [01]"
	check "$kind: no splat" healthy $kind
	echo "# $kind: $(cut -f 2 "$work/$kind.results" | sort | uniq -c | xargs)"
done
check "patched: all markers are counted" said patched 'markers: events: [1-9][0-9]* of [1-9][0-9]*'
check "patched: by the thousand" said patched 'markers: hits: [1-9][0-9]{3,}'
check "patched: none is refused but those that a test wants so" same "" \
	"$(grep '^markers: refused: ' "$work/patched" | grep -v ' kunit_')"
check "the same cases" same "$(cut -f 1 "$work/vanilla.results")" "$(cut -f 1 "$work/patched.results")"
while IFS="$(printf '\t')" read -r name before; do
	after=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' "$work/patched.results")
	check "$name: $after" alike "$name" "$before" "$after"
done <"$work/vanilla.results"
tap_done
