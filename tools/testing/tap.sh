# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# TAP for the suites written in shell: source it, check things, call tap_done. The command
# $tap_last checks what each suite checks at its end. With TAP_FIRST, which a guest has from its
# command line, a suite ends at the first test that fails.
tap_count=0
tap_failed=0
# Python keeps what it compiles out of the sources; some tests choose another folder.
export PYTHONPYCACHEPREFIX="${PYTHONPYCACHEPREFIX:-${here:-.}/../../../build/pycache}"

# check WHAT COMMAND...: one test, good if the command succeeds.
check() {
	tap_name=$1
	shift
	tap_count=$((tap_count + 1))
	if tap_output=$("$@" 2>&1); then
		echo "ok $tap_count - $tap_name"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $tap_name"
		printf '%s\n' "failed: $*" "$tap_output" | sed 's/^/# /' >&2
		[ ! "${TAP_FIRST:-}" ] || tap_done
	fi
}

# skip WHAT WHY: one test that cannot hold here.
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# same EXPECTED FOUND: for use with check.
same() {
	[ "$1" = "$2" ] || { printf 'expected: %s\nfound:    %s\n' "$1" "$2"; return 1; }
}

# holds TEXT PART
holds() {
	case $1 in
	*"$2"*) ;;
	*) printf 'not found: %s\nin: %s\n' "$2" "$1"; return 1 ;;
	esac
}

# tests_of NAME COUNT: those of the native program NAME, which has COUNT; $top is the tree, $work a folder.
# shellcheck disable=SC2154 # the suite sets both
tests_of() {
	check "the program $1 builds" make -s -C "$top" "build/native/$1"
	"$top/build/native/$1" >"$work/$1.out"
	while read -r line; do
		case $line in
		*'ok '*) check "$1: ${line#* - }" same ok "${line%% *}" ;;
		esac
	done <"$work/$1.out"
	check "$1: all checks were made" same "$2" "$(grep -c '^ok' "$work/$1.out")"
}

tap_done() {
	[ ! "${tap_last:-}" ] || $tap_last
	echo "1..$tap_count"
	exit $((tap_failed > 0))
}
