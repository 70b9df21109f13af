#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tools/kmark dev vm: what goes in, what comes out, and how a guest may fail.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
kmark=$here/../../kmark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# vm ARGUMENT...: runs a guest; leaves $status, $work/out and $error.
vm() {
	"$kmark" dev vm --accel tcg "$@" >"$work/out" 2>"$work/err"
	status=$?
	error=$(cat "$work/err")
}

printf 'echo "$0 $1 $2"; cat /data/file /plain; nproc; exit $3\n' >"$work/script.sh"
echo first >"$work/file"
echo second >"$work/plain"
vm --smp 2 --add "$work/file:/data/" --add "$work/plain" -- "$work/script.sh" 'a b' c 3
check "exit status is the script's" same 3 $status
check "arguments, added files and CPUs arrive" \
	same "/script.sh a b c first second 2" "$(xargs <"$work/out")"
check "a good run is silent on stderr" same "" "$error"

vm --icount --log "$work/log" -- 'printf "a\r\n\0b\377"; awk "BEGIN { print ENVIRON[\"PATH\"] }" >/dev/kmsg'
check "results port is binary clean" same "61 0d 0a 00 62 ff" "$(od -An -tx1 <"$work/out" | xargs)"
check "the console log is kept" grep -q /usr/sbin "$work/log"

vm --modules dummy --host-root -- 'modprobe dummy && cat /host/etc/hostname && ls /host/proc/self/exe && touch /host/x'
check "modules load, the host's root is there" same "$(cat /etc/hostname)" "$(head -n 1 "$work/out")"
check "/host has the guest's /proc" grep -q /host/proc/self/exe "$work/out"
check "/host is read-only" grep -q 'Read-only file system' "$work/out"

vm --timeout 10s -- 'echo begun; sleep 60'
check "a time-out is status 124" same 124 $status
check "the time-out is named" holds "$error" "kmark: dev vm: the guest did not end in 10 s"
check "what was printed before is kept" same begun "$(cat "$work/out")"

vm -- 'echo c >/proc/sysrq-trigger; sleep 60'
check "a splat is status 125" same 125 $status
check "the splat is named" holds "$error" "the guest's kernel complained"
check "the splat is shown" holds "$error" "Kernel panic - not syncing: sysrq triggered crash"

vm -- 'echo "BUG: planted" >/dev/kmsg; echo before; sleep 90; echo after'
check "a guest is ended soon after a splat" same "125 before" "$status $(cat "$work/out")"

vm -- 'printf "kmark-vm-exit 0"; poweroff -f'
check "a guest without an exit status is status 125" same 125 $status
check "the missing exit status is named" holds "$error" "the guest ended without an exit status"

vm --kernel 6.12 -- uname -r
check "a kernel of the distribution is booted by its name" same "0 6.12 amd64" "$status $(sed 's/\.[0-9]*+.*-/ /' "$work/out")"
vm --kernel 2.6 -- true
check "an unknown kernel is status 2" same 2 $status
check "the names of the known kernels are printed" holds "$error" "there are: 6.1 6.1-rt 6.12"

vm --modules no_such_module -- true
check "an unknown module is status 1" same 1 $status
check "the unknown module is named" holds "$error" "has no module no_such_module"
vm --add "$work/absent" -- true
check "a missing file is status 1" same 1 $status
check "the missing file is named" holds "$error" "$work/absent: no such file"
vm --icount --smp 2 -- true
check "icount on two CPUs is status 2" same 2 $status
vm
check "no command is status 2" same 2 $status

# suite LINE: guest() runs a suite of that; leaves $status, and what fails in $failed.
suite() {
	echo "$1" >"$work/suite.sh"
	# shellcheck source=guest.sh
	(. "$here/guest.sh" && accel=tcg modules=$work/plain && guest "$work/suite.sh" 1) >"$work/out" 2>/dev/null
	status=$?
	failed=$(grep '^not ok' "$work/out")
}
suite 'echo "ok 1 - a"; echo 1..1'
check "a suite that ends well is status 0" same "0 " "$status $failed"
suite 'echo "not ok 1 - a"; echo 1..1; exit 1'
check "a suite with a failure is status 1" same "1 not ok 1 - a" "$status $failed"
suite 'echo "ok 1 - a"'
check "a suite without a plan is status 1" \
	same "1 not ok 2 - the guest ends well (status 0, plan missing)" "$status $failed"
suite 'echo "ok 1 - a"; echo 1..2'
check "a suite with a test less than planned is status 1" \
	same "1 not ok 2 - the guest ends well (status 0, plan 2)" "$status $failed"
suite 'echo "ok 1 - a"; echo 1..1; echo "BUG: planted" >/dev/kmsg; sleep 60'
check "a suite with a splat is status 125" \
	same "125 not ok 2 - the guest ends well (status 125, plan 1)" "$status $failed"

guests() { grep -l "[f]ile:$work/killed" /proc/[0-9]*/cmdline 2>/dev/null | wc -l; }
TMPDIR="$work" "$kmark" dev vm --accel tcg --timeout 60s --log "$work/killed" -- 'sleep 50' >/dev/null 2>&1 &
sleep 3
check "a guest runs" same 1 "$(guests)"
kill -KILL $!
wait $! 2>/dev/null
sleep 0.5
check "the guest ends with kmark" same 0 "$(guests)"

tap_done
