#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patches for kernel $K (default 6.1): they apply and build, and the kernel
# passes its suites in a guest. ARCH=arm64: of that architecture, emulated. WITH=NAME: with
# patches/config/NAME; DEBUG=1: with KASAN, lockdep and the like. VANILLA=1: without the
# patches, so that the suites test markers.ko. Builds a kernel the first time: minutes.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../guest.sh
. "$here/../guest.sh"
K=${K:-6.1}

what="Linux $K${ARCH:+, $ARCH}${WITH:+, $WITH}${VANILLA:+, vanilla}"

"$top/tools/setup" kernel vm check ${ARCH:+"vm-$ARCH"} || exit 1
build() {
	"$top/tools/kmark" kernel ${ARCH:+--arch "$ARCH"} ${WITH:+--with "$WITH"} ${DEBUG:+--debug} \
		${VANILLA:+--vanilla} "$@" "$K"
}
if ! kernel=$(build) || ! folder=$(build --modules); then
	echo "not ok 1 - $what is built"
	echo "1..1"
	exit 1
fi
text_poke=build/${ARCH:+$ARCH/}native/text_poke
make -s -C "$top" "$text_poke" || exit 1
selftest=$kernel/tools/testing/selftests/markers/markers.sh
modules="$top/$text_poke $(ls "$selftest" 2>/dev/null) $(find "$kernel/samples/markers" "$folder" -name '*.ko' 2>/dev/null | sort)"
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
	echo "${good}ok $((number + 1)) - $suite in $what"
}

out=$(mktemp -u)
trap 'rm -f "$out".*' EXIT
echo "ok 1 - $what is built"
# 7.2 asks for the suites of KUnit to be run; older kernels know no such parameter.
[ "${VANILLA:-}" ] || suite tree "markers=initcall_level:count kunit.autorun=1" ${DEBUG:+debug}
suite core ''
# Only x86 interrupts all CPUs for what it patches.
[ "${ARCH:-}" = arm64 ] || [ "${VANILLA:-}" ] || suite batch ''
# Calls out of reach, which there are none of on x86-64.
[ "${ARCH:-}" != arm64 ] || suite far-call ''
echo "1..$((number + 1))"
exit $failed
