#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patches for kernel $K (default 6.1): they apply and build, and the kernel
# passes its suites in a guest. ARCH=arm64: of that architecture, emulated. WITH=NAME: with
# patches/config/NAME; DEBUG=1: with KASAN, lockdep and the like. VANILLA=1: without the
# patches, so that the suites test markers.ko. PATCHES="batching": with these sets alone, which
# have their KUnit suites and selftests run. Builds a kernel the first time: minutes.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../guest/guest.sh
. "$here/../guest/guest.sh"
K=${K:-6.1}

what="Linux $K${ARCH:+, $ARCH}${WITH:+, $WITH}${VANILLA:+, vanilla}${PATCHES:+, only $PATCHES}"

sets=
for name in ${PATCHES:-}; do
	sets="$sets --set $name"
done
case ${PATCHES:-} in *debug-events*) sets="$sets --with debug-events" ;; esac
"$top/tools/setup" kernel vm check ${ARCH:+"vm-$ARCH"} || exit 1
# shellcheck disable=SC2086
build() {
	"$top/tools/kmark" dev kernel ${ARCH:+--arch "$ARCH"} ${WITH:+--with "$WITH"} ${DEBUG:+--debug} \
		${VANILLA:+--vanilla} $sets "$@" "$K"
}
if ! kernel=$(build) || ! folder=$(build --modules); then
	echo "not ok 1 - $what is built"
	echo "1..1"
	exit 1
fi
programs=$(printf "build/${ARCH:+$ARCH/}native/%s " text_poke raw_bpf call_chain)
# shellcheck disable=SC2086
make -s -C "$top" $programs || exit 1
work=$(mktemp -d)
out=$work/tree
trap 'rm -rf "$work"' EXIT
# layout FILE STRUCT: its members in BTF, made of what the compiler says: name, offset, size.
layout() {
	cp "$1" "$1.btf" && pahole -J "$1.btf" && pahole -F btf -C "$2" "$1.btf" |
		sed -nE 's/__data_loc_//; s|^\t.*[ *](\w+)(\[[0-9]+\])?; +/\* +([0-9]+) +([0-9]+) \*/$|\1 \3 \4|p'
}
# Modules with markers, which only a kernel with the patches has a header for.
if [ ! "${VANILLA:-}${PATCHES:-}" ]; then
	cp -r "$top/tools/testing/long/tree" "$out"
	cp "$top/markers/selftest/format_corpus.h" "$out"
	if grep -q '^CONFIG_CC_IS_CLANG=y' "$kernel/.config"; then
		compiler=LLVM=-19
	else
		compiler=CROSS_COMPILE=${ARCH:+aarch64-linux-gnu-}
	fi
	if ! make -s -C "$kernel" M="$out" ARCH="${ARCH:-x86}" "$compiler" modules >&2; then
		echo "not ok 1 - modules with markers are built for $what"
		echo "1..1"
		exit 1
	fi
	layout "$out/marked_fields.ko" trace_event_raw_mark_marked_fields >"$out/marked_fields.layout"
fi
# static_size MODULE: bytes of all that is loaded of it.
static_size() {
	total=0
	for bytes in $(readelf -SW "$1" | sed -nE \
		's/^ *\[ *[0-9]+\] +[^ ]+ +[A-Z_]+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +[WXMSI]*A.*/\1/p'); do
		total=$((total + 0x$bytes))
	done
	echo $total
}

selftests=$kernel/tools/testing/selftests
modules="$(for program in $programs; do echo "$top/$program"; done) \
	$(ls "$selftests/markers/markers.sh" "$selftests/dynamic_debug/events.sh" 2>/dev/null) \
	$(find "$kernel/installed" -name test_dynamic_debug_events.ko 2>/dev/null) \
	$(find "$kernel/samples/markers" "$folder" "$out" \( -name '*.ko' -o -name '*.layout' \) 2>/dev/null | sort)"
cpus=2
failed=0
# shellcheck disable=SC2034 # guest() reads them
[ -z "${DEBUG:-}" ] || timeout=2400 memory=1024

# suite SCRIPT WORDS [ARGUMENT...]: as a subtest; its plan closes it.
number=0
suite() {
	script=$here/$1
	suite=$(basename "${1%.*}")
	append=$2
	shift 2
	number=$((number + 1))
	if (guest "$script" $cpus "$@") >"$out.$suite"; then
		good=
	else
		good='not '
		failed=1
	fi
	sed 's/^/    /' "$out.$suite"
	echo "${good}ok $((number + 1)) - $suite in $what"
}

echo "ok 1 - $what is built"
if [ "${PATCHES:-}" ]; then
	# shellcheck disable=SC2086
	suite set.sh kunit.autorun=1 $PATCHES
	case $PATCHES in *batching*) suite batch.sh '' ;; esac
	echo "1..$((number + 1))"
	exit $failed
fi
# 7.2 asks for the suites of KUnit to be run; older kernels know no such parameter. A kernel with
# kmemleak takes more than half a minute for ACPI's table of PCI interrupts, and then has none.
[ "${VANILLA:-}" ] || host_root=${ARCH:-yes} suite tree.sh \
	"trace_event=markers:initcall_level trace_clock=local kunit.autorun=1 ${DEBUG:+pci=noacpi}" \
	"$top" "$HOME" "$kernel" ${DEBUG:+debug}
suite ../guest/core.t ''
if [ ! "${VANILLA:-}" ]; then
	suite event_memory.sh ''
	none=$(static_size "$out/size_none.ko")
	for kind in marker declare_trace trace_event; do
		echo "# $kind: $((($(static_size "$out/size_$kind.ko") - none) / 100)) bytes of a module for each of 100"
	done
fi
# Only x86 interrupts all CPUs for what it patches.
[ "${ARCH:-}" = arm64 ] || [ "${VANILLA:-}" ] || suite batch.sh ''
# Calls out of reach, which there are none of on x86-64.
[ "${ARCH:-}" != arm64 ] || suite ../guest/far-call.t ''
echo "1..$((number + 1))"
exit $failed
