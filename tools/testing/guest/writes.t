#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# writes.sh SEED N PATTERN: N texts, from SEED, are written to each file that markers.ko and the
# probes have, and to those that the kernel has for their events; where PATTERN matches.
# Random texts are written to each file. WRITES to each: 40 here, 100000 in the long form; SEED
# makes others, and FILES=PATTERN writes to those alone. DEBUG=1: in a kernel with KASAN, lockdep and the like.
# guest: debug=useful

on_host() {
	not_on arm64 "build/native/writes is of x86-64"
	make -s -C "$top" build/native/writes >&2 || exit 1
	choose_modules
	# Most filters wait until no CPU reads the one before, if they are refused, too.
	append=rcupdate.rcu_expedited=1 timeout=$((1200 + ${WRITES:-40} / 10))
	modules="$modules $top/build/native/writes"
	boot "${SEED:-1}" "${WRITES:-40}" "${FILES:-*}"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
seed=$1 times=$2 pattern=$3

for module in markers marker_test marker_types probe_count probe_hist probe_latency probe_stack probe_trace \
	probe_event probe_ctf; do
	load $module
done
# long BEFORE REPEATED AFTER: a command of the greatest length, in which REPEATED, which has two
# characters, is repeated.
long() {
	yes "$2" | tr -d '\n' | head -c $(((1048576 - ${#1} - ${#3}) / 2 * 2)) >/tmp/repeated
	control "$1$(cat /tmp/repeated)$3"
	echo "$errno"
}
if [ "$pattern" = "*" ]; then
	check "long-texts-are-taken: selectors" same 0 "$(long "expose types_ints" " ?" "")"
	check "a long rule is replaced" same 0 "$(long expose "  " "")"
	check "a selector" same ENOENT "$(long "connect " no " count")"
	check "a probe" same ENOENT "$(long "connect types_ints " no "")"
	check "words of a probe" same 0 "$(long "connect types_ints count label=" aa "")"
	check "options" same 0 "$(long "connect types_texts count first=7" "		" first=3)"
	check "a condition" same 0 "$(long "arm nothing_yet count if name == \"" aa "\"")"
	check "the name of another marker" same ENOENT "$(long "connect types_ints latency key=0 from=" no "")"
	check "control and results can be read" test "$(cat $M/control $M/results | wc -c)" -gt 4000000
	check "all that is disconnected" accepted "disconnect *"
fi
echo "create kept" >$M/ctf/sessions
# Two events are enough, because all are alike.
E=/sys/kernel/tracing/events
events="$(echo $E/markers/*) $E/marker_types/enable $E/marker_types/filter $E/marker_types/packet_queued"
# shellcheck disable=SC2086
files=$(find $M /sys/module/markers/parameters /sys/module/probe_*/parameters $events \
	-type f -perm -200 2>/dev/null | sort)
written=0 count=0
for file in $files; do
	# shellcheck disable=SC2254 # a pattern
	case $file in
	$pattern) count=$((count + 1)) ;;
	*) continue ;;
	esac
	# "expose" takes events away.
	echo "expose *" >$M/control
	/writes "$seed" "$times" "$file" >/tmp/last || written=$?
	sed 's/^/# /' /tmp/last
	cat /tmp/last >>/tmp/written
done
check "there are files to write to: $count" test "$count" -ge 1
check "all texts are written" same 0 $written
check "to all files" same "$count" "$(wc -l </tmp/written)"
check "each file has accepted some" same "" "$(grep ': 0 accepted' /tmp/written)"
# A trigger that enables an event keeps it enabled.  Histograms go where the file is cut.
for trigger in "$E"/marker*/*/trigger; do
	: >"$trigger"
	for words in stacktrace traceoff snapshot enable_event:markers:marker; do
		echo "!$words" >"$trigger"
	done
done 2>/dev/null
for system in "$E"/marker*; do
	echo 0 >"$system/enable"
done
echo "disconnect *" >$M/control 2>/dev/null
check "nothing is connected afterwards" same "" "$(connections)"
check "verify reports no mismatch" verified
check "a probe is connected" accepted "connect subsys_mark1 count"
fire 3
check "its sites count" same 42 "$(hits count)"
check "the probe is disconnected" accepted "disconnect *"
rmmod probe_ctf probe_event probe_trace probe_stack probe_latency probe_hist probe_count marker_types marker_test markers
check "all modules go" same "" "$(lsmod | grep -E '^(markers|probe_|marker_t)')"
tap_done
