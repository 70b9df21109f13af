#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patches for kernel $K (default 6.1): they apply and build, and the kernel
# passes its suites in a guest. DEBUG=1: with KASAN, lockdep and the like. Builds
# a kernel the first time: minutes.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../guest.sh
. "$here/../guest.sh"
here=$(readlink -f "$here/..")
top=$(readlink -f "$here/../..")
K=${K:-6.1}

"$top/tools/setup" kernel vm check || exit 1
# shellcheck disable=SC2086
if ! kernel=$("$top/tools/kmark" kernel ${DEBUG:+--debug} "$K") ||
	! folder=$("$top/tools/kmark" kernel ${DEBUG:+--debug} --modules "$K"); then
	echo "not ok 1 - Linux $K is patched and built"
	echo "1..1"
	exit 1
fi
modules="$kernel/samples/markers/markers-sample.ko $(find "$folder" -name '*.ko' | sort)"
cpus=2
failed=0
# shellcheck disable=SC2034 # guest() reads them
[ -z "${DEBUG:-}" ] || timeout=2400 memory=1024

# suite NAME WORDS [ARGUMENT...]: as a subtest; its plan closes it.
number=0
suite() {
	suite=$1
	append=$2
	shift 2
	number=$((number + 1))
	if (guest "$suite" $cpus "$@") >"$out.$suite"; then
		good=
	else
		good='not '
		failed=1
	fi
	sed 's/^/    /' "$out.$suite"
	echo "${good}ok $((number + 1)) - $suite in Linux $K"
}

out=$(mktemp -u)
trap 'rm -f "$out".*' EXIT
echo "ok 1 - Linux $K is patched and built"
# 7.2 asks for the suites of KUnit to be run; older kernels know no such parameter.
suite tree "markers=initcall_level:count kunit.autorun=1" ${DEBUG:+debug}
suite core ''
echo "1..$((number + 1))"
exit $failed
