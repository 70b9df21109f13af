#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A guest that oopses and panics: its last events, out of a dump of its memory by QEMU.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
python=$("$top/tools/setup" --path python)/bin/python
make -s -C "$top" build/native/check_packets >&2 || exit 1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

PYTHONPATH=$top/tools/lib "$python" "$here/panic.py" "$out/vmcore" >"$out/said" 2>&1
sed 's/^/# /' "$out/said"
check "the guest panics, and its memory is dumped" test -s "$out/vmcore"
check "the oops takes a snapshot" grep -q "oops: snapshot taken by oops" "$out/said"
check "kmark record vmcore reads it" sh -c "'$top/tools/kmark' record vmcore '$out/vmcore' -o '$out/traces' 2>'$out/recovered'"
check "each session is a trace" same "$out/traces/default $out/traces/second" "$(echo "$out/traces/"*)"
babeltrace2 "$out/traces/default" >"$out/text"
check "babeltrace2 reads the flight recorder" test -s "$out/text"
check "the last event is that before the panic" same "arg5 = 199" \
	"$(tail -n 1 "$out/text" | grep -o 'arg5 = [0-9]*')"
check "it has the events before and after the oops, and those of a snapshot" same "1350 550" \
	"$(grep -c types_ints "$out/text") $(babeltrace2 "$out/traces/second" | wc -l)"
check "nothing of it is damaged" same "" "$(grep damaged "$out/recovered")"
check "all classes are described, in several pages" same 101 "$(grep -c '^event {' "$out/traces/second/metadata")"
check "packets are whole, events in order" "$top/build/native/check_packets" packets "$out/traces/default"
check "those of the second session, too" "$top/build/native/check_packets" packets "$out/traces/second"

# The same packets with metadata in CTF 2, read by the babeltrace2 of Debian 13.
newer=$("$top/tools/setup" --path babeltrace-2.1)/babeltrace2
check "kmark record vmcore --ctf 2" "$top/tools/kmark" record vmcore --ctf 2 "$out/vmcore" -o "$out/two"
check "its packets are the same" diff -r -x metadata "$out/traces" "$out/two"
"$newer" "$out/two/default" >"$out/newer"
check "babeltrace2 2.1 reads the same events in CTF 2" cmp "$out/text" "$out/newer"

# Dumps that are none, or not whole.
# shellcheck disable=SC2317 # check() calls it
refused() {
	said=$("$top/tools/kmark" record vmcore "$1" -o "$out/none" 2>&1)
	status=$?
	holds "$status $said" "1 kmark: $1: $2"
}
head -c 100000 /dev/zero >"$out/zeros"
check "a dump without a session is refused" refused "$out/zeros" "no session of probe_ctf.ko is in it"
printf 'KDUMP   and so on' >"$out/kdump"
check "a compressed dump is refused" refused "$out/kdump" "is compressed or flattened"
head -c 80 "$out/vmcore" >"$out/short"
check "a dump that was cut off is refused" refused "$out/short" "ends before the entry of segment 0"
check "an empty file is refused" refused /dev/null ""
check "no folder is left behind" test ! -e "$out/none"
tap_done
