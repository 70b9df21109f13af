#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Pointers to strings in unmapped memory, read where the marked code runs.
# A site passes an invalid pointer to a condition and to every probe.
# guest: debug=useful arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing
formats=/sys/kernel/debug/marker_formats

for module in markers marker_formats probe_count probe_args probe_trace probe_event probe_ctf; do
	load $module
done

# counted CONDITION MARKER: how many events pass.
counted() {
	accepted "connect $2 count if $1" >/dev/null
	echo 1 >$formats/fire
	hits count
	accepted "disconnect *" >/dev/null
}

log_mark
for name in error low user not_canonical unmapped; do
	check "a condition on a pointer: $name" same "1 0 1" \
		"$(counted 'arg0=="(efault)"' format_bad_$name) $(counted 'arg0==text' format_bad_$name) $(
			counted 'arg0!=text' format_bad_$name)"
done
check "a text that ends at the end of mapped memory" same "1 0" \
	"$(counted arg0==abcd format_bad_runs_out) $(counted arg0==abcde format_bad_runs_out)"
check "four characters of it" same 1 "$(counted arg0==abcd format_text_four)"
check "five thousand characters" same "0 1" \
	"$(counted arg0==xxx format_bad_long) $(counted arg0!=xxx format_bad_long)"
check "arguments that the format prints as text" same "1 1 0" \
	"$(counted arg0==32.1.13.184 format_text_i4) $(counted arg0==marker_formats format_text_dentry) $(
		counted arg0==10.0.0.1 format_text_i4)"
check "an empty text" same 1 "$(counted 'arg0==""' format_text_empty)"
check "a number cannot be compared with a text argument" refused EINVAL "connect format_text_i4 count if arg0>5"

accepted "connect format_bad_* event; connect format_bad_* trace; connect format_bad_* ctf" >/dev/null
accepted "connect format_bad_* args" >/dev/null
echo 1 >$F/events/marker_formats/enable
echo 1 >$F/events/markers/enable
echo 1 >$formats/fire
echo 0 >$F/events/marker_formats/enable
echo 0 >$F/events/markers/enable
for probe in event trace; do
	pattern='.*: marker_formats\/\(format_bad[a-z_]*\): \(.*\)'
	[ $probe = event ] || pattern='.* marker: marker_formats\/\(format_bad[a-z_]*\) [^ ]*:[0-9]* \(.*\)'
	sed -n "s/$pattern/\1\t\2/p" $F/trace | grep -v _long | sort >/tmp/found
	grep format_bad $formats/expected | sort >/tmp/expected
	check "$probe prints bad pointers as printk does" diff /tmp/expected /tmp/found
done
check "ctf has lost no event" same 0 "$(awk -F '\t' '!/^#/ { lost += $3 } END { print lost + 0 }' $M/ctf/cpus)"
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
tap_done
