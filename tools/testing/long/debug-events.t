#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debug messages as trace events in kernel $K (default 6.12), with the set debug-events alone: sites of
# modules have the size that they have without it; the events have the text that is printed, and perf,
# trace-cmd and BPF have them. DEBUG=1: with KASAN, lockdep and the like; WITH=clang: built by clang.
# Builds two kernels the first time: minutes.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../guest/guest.sh
. "$here/../guest/guest.sh"
# shellcheck source=../tap.sh
. "$here/../tap.sh"
K=${K:-6.12}
"$top/tools/setup" kernel vm check || exit 1
build() {
	"$top/tools/kmark" dev kernel --with debug-events ${WITH:+--with "$WITH"} ${DEBUG:+--debug} "$@" "$K"
}
if ! vanilla=$(build --vanilla) || ! kernel=$(build --set debug-events); then
	echo "Bail out! Linux $K cannot be built"
	exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# sections MODULE: name and size of the sections that are loaded, but for those that name the build.
sections() {
	readelf -SW "$1" | sed -nE \
		's/^ *\[ *[0-9]+\] +([^ ]+) +[A-Z_]+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +[WXMSI]*A.*/\1 \2/p' |
		grep -vE '^(\.modinfo|\.note|__version|\.gnu\.linkonce)'
}
# in_module FOLDER NAME: path of the module.
in_module() {
	find "$1/installed" -name "$2.ko" | head -n 1
}
for module in usbcore udc-core dummy_hcd libcomposite g_zero usb_f_ss_lb; do
	check "$module: every section has the size that it has without the patch" same \
		"$(sections "$(in_module "$vanilla" $module)")" "$(sections "$(in_module "$kernel" $module)")"
	echo "# $module: $(sections "$(in_module "$kernel" $module)" | sed -n 's/^__dyndbg /0x/p' |
		xargs -I% sh -c 'echo $((% / 56))') sites"
done
modules="$(find "$kernel/installed" -name '*.ko' | sort) \
	$kernel/tools/testing/selftests/dynamic_debug/events.sh"
# shellcheck disable=SC2034 # guest() reads them
{
	memory=1024
	timeout=2400
	host_root=yes
}
# In a subshell, which ends with the guest.
(guest "$here/debug_events.sh" 2 "$top" "$HOME") | sed 's/^/    /' >"$work/guest"
cat "$work/guest"
check "the guest's tests pass" eval "grep -q '^    1\.\.' '$work/guest' && ! grep -q '^    not ok ' '$work/guest'"
tap_done
