#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# run-tests: what it prints at the end, and that no test waits for another's output.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
. "$here/../tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# As from a shell: this test may itself be run by it.
unset SKIPPED PARALLEL HARNESS_RULESFILE

# test_file NAME: a test whose lines are on stdin.
test_file() {
	{ echo '#!/bin/sh'; cat; } >"$work/$1"
	chmod +x "$work/$1"
}

# Ends when the third test has begun, which can only be beside it.
test_file first <<END
echo 'a word on stderr' >&2
i=0
while [ ! -e $work/third-began ] && [ \$i -lt 100 ]; do
	sleep 0.1
	i=\$((i + 1))
done
[ -e $work/third-began ] || printf 'not '
echo 'ok 1 - the third test has begun'
echo 1..1
END
test_file second <<'END'
echo 'ok 1 - left out # SKIP there is no reason'
echo 1..1
END
test_file third <<END
touch $work/third-began
echo ok 1
echo 1..1
END
test_file fails <<'END'
echo 'why it fails' >&2
echo 'not ok 1'
echo 1..1
exit 1
END

# run TEST...: leaves $said and $status.
run() {
	said=$(cd "$work" && "$here/../run-tests" prove -j2 "$@" 2>&1)
	status=$?
}

run ./first ./second ./third
check "tests pass" same 0 $status
check "a test that writes to stderr keeps no other from starting" holds "$said" "Result: PASS"
check "what it wrote is below its name" holds "$said" "./first:
a word on stderr"
check "what was skipped is at the end" holds "$said" "Skipped:
./second: left out # SKIP there is no reason"
run ./fails ./third
check "a test fails" same 1 $status
check "its name" holds "$said" "./fails:
why it fails"
tap_done
