#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Documentation/examples: they build against the installed headers, leave their
# section tables behind, and do in a guest what the pages say.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=/lib/modules/$("$top/tools/vm/kernel-version")/build || exit 1
cd "$top" || exit 1

# make_example NAME: out of tree, as its reader would.
# shellcheck disable=SC2317 # check calls it
make_example() {
	mkdir "$work/$1"
	cp Documentation/examples/"$1"/Kbuild Documentation/examples/"$1"/*.c "$work/$1"
	make -C "$build" M="$work/$1" MARKERS="$top/markers" \
		KBUILD_EXTRA_SYMBOLS="$top/Module.symvers" modules >"$work/$1.log" 2>&1 ||
		{ cat "$work/$1.log"; return 1; }
	! grep -iE '(warning|error):' "$work/$1.log"
}

# table NAME: bytes between the symbols __marker_NAME and __marker_NAME_end.
table() {
	nm "$work/marked/marked.ko" | awk -v name="__marker_$1" '
		$3 == name { begin = $1 }
		$3 == name "_end" { end = $1 }
		END { if (begin == "" || end == "") exit 1; print begin, end }' |
		while read -r begin end; do echo $((0x$end - 0x$begin)); done
}

check "modules are built" test -e Module.symvers
check "marked builds without a warning" make_example marked
check "probe_last builds without a warning" make_example probe_last
check "a site has 40 bytes" same 40 "$(table sites)"
check "its gate has 12 bytes" same 12 "$(table gates)"
check "its call has 8 bytes" same 8 "$(table calls)"
check "the section is loaded" same "CONTENTS, ALLOC, LOAD, RELOC, DATA" \
	"$(objdump -h "$work/marked/marked.ko" | grep -A 1 ' \.discard_markers ' | sed -n '2s/^ *//p')"
check "the hot path has a 5-byte NOP and no call but the two of the function" same "1 2" "$(
	objdump -d --no-show-raw-insn --disassemble=set_level "$work/marked/marked.ko" | awk '
		/nopl.*0x0\(%rax,%rax,1\)/ { nops++ }
		/call/ && !ended { calls++ }
		/jmp|ret/ { ended = 1 }
		END { print nops + 0, calls + 0 }')"
check "marked needs nothing of markers.ko" same "depends=" "$(strings -a "$work/marked/marked.ko" | grep '^depends=')"
check "probe_last needs markers.ko" same "depends=markers" \
	"$(strings -a "$work/probe_last/probe_last.ko" | grep '^depends=')"

cat >"$work/guest.sh" <<'END'
insmod /markers.ko
insmod /probe_last.ko
cd /sys/kernel/debug/markers
value() { echo "$* $(cat /sys/module/probe_last/parameters/value)"; }
echo "connect marked_level last 2" 2>/dev/null >control || echo "refused before load"
echo "arm marked_level last 2" >control
cat control
insmod /marked.ko level=3
value at load
echo 7 >/sys/module/marked/parameters/level
value argument 2
echo "disconnect *; connect marked_level last" >control
echo 9 >/sys/module/marked/parameters/level
value argument 1
echo "connect marked_level last 3" 2>/dev/null >control || echo "no integer"
rmmod probe_last 2>/dev/null || echo "in use"
cut -f 2-3,5-6 sites
echo "disconnect *" >control
echo 1 >/sys/module/marked/parameters/level
value disconnected
rmmod probe_last && rmmod marked && rmmod markers && echo unloaded
END
cat >"$work/expected" <<'END'
refused before load
arm marked_level last 2	# pending
at load 3
argument 2 7
argument 1 7
no integer
in use
marker	module	gate	state
marked/marked_level	marked	nop5	open
disconnected 7
unloaded
END
tools/kmark dev vm --smp 2 --add markers/markers.ko --add "$work/marked/marked.ko" \
	--add "$work/probe_last/probe_last.ko" -- "$work/guest.sh" >"$work/out" 2>"$work/err"
status=$?
check "the guest ends with status 0" same 0 $status
check "the examples do what the pages say" diff "$work/expected" "$work/out"
[ $tap_failed = 0 ] || sed 's/^/# /' "$work/err"

tap_done
