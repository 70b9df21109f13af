#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Another tenth of the planted errors that need no guest each day, and what the tool that plants them says when
# one survives, does not apply or does not build. All of them: `make mutants`.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
run=$here/mutants/run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# entry NAME OLD NEW [MORE]: of a list, in the gates of arm64.
entry() {
	cat <<END
[[mutant]]
name = "$1"
kind = "logic"
file = "markers/arch/arm64/gates.c"
old = '$2'
new = '$3'
suites = ["arm64-gates"]
$4
END
}

# ends STATUS WORDS...: the tool does, and has printed $expected.
ends() {
	wanted=$1
	shift
	"$run" "$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ "$status" = "$wanted" ] && holds "$(cat "$work/out")" "$expected"
}

expected=usage:
check "a tenth that is no number is refused" ends 2 --tenth x
expected="no planted error is selected"
check "a name that none has is refused" ends 2 --only no-such-name
entry stale 'no such text' 'x' >"$work/stale"
expected="stale: expected its text once in markers/arch/arm64/gates.c, found it 0 times"
check "an error that does not apply is no kill" ends 2 --list "$work/stale"
entry broken '0xd503201f' '(' >"$work/broken"
expected="broken: does not build"
check "an error that does not build is no kill" ends 2 --list "$work/broken"
{
	entry comment 'Pure functions of' 'Functions of'
	entry expected 'The stubs of' 'Stubs of' 'survives = "it is a comment"'
	entry nop '0xd503201f' '0xd503201e'
} >"$work/three"
expected="1 of 3 killed, 33.3 %; 1 not as listed"
check "an error that survives ends with status 1" ends 1 --list "$work/three"
check "it is named" holds "$(cat "$work/out")" "SURVIVED  comment (logic)"
check "one that may survive has its reason" holds "$(cat "$work/out")" "it is a comment"
check "one that is killed has its suite" holds "$(cat "$work/out")" "killed    nop (logic): arm64-gates"

no_guest() {
	for n in 0 1 2 3 4 5 6 7 8 9; do
		"$run" --no-guests --tenth "$n" --names --json
	done >"$work/names"
	holds "$(cat "$work/names")" '"boundaries"' && same "" "$(grep -E '"(vm-|defects/)' "$work/names")"
}
check "the tenths without guests boot none" no_guest
all_boot() {
	"$run" --guests --names --json >"$work/names"
	holds "$(cat "$work/names")" '"vm-core"' && same "$(grep -c '"suites": ' "$work/names")" \
		"$(tr -d '\n' <"$work/names" | grep -oE '"suites": \[[^]]*"(vm-|defects/)' | wc -l)"
}
check "those with guests all do" all_boot

expected="0 not as listed"
check "a tenth of all, by the day of the year" ends 0 --tenth today --no-guests
grep -E '^(kind|suite|mutants: [0-9]+ of) ' "$work/out" | sed 's/^/# /'
tap_done
