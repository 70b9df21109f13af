#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The probes of the 2006 thread, connected to its marker.
# guest: cpus=1
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# last MODULE [PARAMETER]: what its probe kept.
last() {
	cat "/sys/module/$1/parameters/${2:-last_value}"
}

load marker_test
load markers
for probe in empty copy copy_stack parse kprobed; do
	load probe_$probe
done
check "all five connect to one marker" accepted "connect subsys_mark1 empty
connect subsys_mark1 copy
connect subsys_mark1 copy-stack
connect subsys_mark1 parse
connect subsys_mark1 kprobed"
fire 3
check "copy has the last integer" same 13 "$(last probe_copy)"
check "copy-stack has the last integer" same 13 "$(last probe_copy_stack)"
check "parse has both arguments" same 13,0 "$(last probe_parse last)"
check "kprobed has the last integer" same 13 "$(last probe_kprobed)"
check "the kprobe of kprobed was hit at each site" same 42 "$(last probe_kprobed kprobe_hits)"
check "verify reports no mismatch" verified
accepted "disconnect *" >/dev/null
fire 1
check "the kprobe is not hit when kprobed is disconnected" same 42 "$(last probe_kprobed kprobe_hits)"

check "parse takes any format" accepted "connect test_types parse"
fire 1
check "parse has integers from 8 to 64 bits" holds "$(last probe_parse last)" \
	"-1,255,-2,65535,-3,4294967295,-4,"
check "parse has the address of a string" test "$(last probe_parse last | cut -d , -f 8)" != 0
accepted "disconnect *" >/dev/null
accepted "connect test_none parse" >/dev/null
fire 1
check "parse has nothing of a marker without arguments" same "" "$(last probe_parse last)"
accepted "disconnect *" >/dev/null
log_mark
check "parse refuses a conversion that it does not know" refused EINVAL "connect test_star parse"
check "the log has the format" logged 'format "%*d"'
for probe in copy copy-stack kprobed; do
	check "$probe refuses another format" refused EINVAL "connect test_one $probe"
done
check "all modules can be unloaded" unload probe_kprobed probe_parse probe_copy_stack probe_copy probe_empty markers
tap_done
