#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Traces in CTF 2, and the same packets in CTF 1.8.
# Traces with metadata in CTF 2, read by the babeltrace2 of Debian 13; the same packets in
# CTF 1.8, event by event.
# guest: host_root=yes

on_host() {
	not_on arm64 "the babeltrace2 of Debian 13 is fetched for x86-64"
	babeltrace=$("$top/tools/setup" --path babeltrace-2.1) || exit 1
	boot "$babeltrace/babeltrace2"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
newer=$3
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"
load marker_fields
# With more classes than there are ids for a compact header.
load marker_thousand
FIELDS=/sys/module/marker_fields/parameters/fire
THOUSAND=/sys/module/marker_thousand/parameters/fire
N=200
items=tid,pid,comm,prio,cpu,irq,preempt,cgroup,kstack,ustack

# read_by_newer NAME ARGUMENT...: into /mnt/NAME.txt, what it warns of into /mnt/NAME.said.
read_by_newer() {
	name=$1
	shift
	host "$newer" --clock-seconds "$@" >"/host/mnt/$name.txt" 2>"/host/mnt/$name.said" ||
		{ head -n 3 "/host/mnt/$name.said"; return 1; }
}

# in_ctf_1_8 FROM TO: the same packets, with what the kernel said when they were recorded.
in_ctf_1_8() {
	mkdir "/host$2"
	cp "/host$1"/cpu* "/host$2"
	host PYTHONPATH="$top/tools/lib" "$python" -P - "$2/metadata" <<-'END'
		import sys
		from pathlib import Path
		from kmark.record import recording, sink
		said = sink.Sink(Path("/mnt/said"))
		Path(sys.argv[1]).write_text(recording.Metadata("1.8").renewed(said, last=True))
	END
}

# flat NAME: the fields of each event, wherever they lie.
flat() {
	sed 's/ }, { /, /g' "/host/mnt/$1.txt"
}

# Everything that an event can have, with events lost while the recorder is stopped.
keep="mkdir -p /mnt/said/ctf; cp $C/session $C/events /mnt/said/ctf"
run record --ctf 2 --clock mono --raw-addresses --size 128K --context $items -o /mnt/two 'types_*' 'fields_*' 'thousand_10??' -- \
	taskset 1 sh -c "echo 1 >$THOUSAND; echo $N >$F/fire; echo $N >$FIELDS; kill -STOP \$PPID; echo 5000 >$F/fire; kill -CONT \$PPID; sleep 2; echo 1 >$F/fire; $keep"
recorded=$(echo "$said" | sed -n 's/.* \([0-9]*\) events recorded.*/\1/p')
lost=$(echo "$said" | sed -n 's/.* \([0-9]*\) lost.*/\1/p')
echo "# $said"
check "some events are recorded and some are lost" test "$status" = 0 -a "$recorded" -gt 0 -a "${lost:-0}" -gt 0
check "the metadata are fragments of JSON" same "$(printf '\036{"type": "preamble", "version": 2,')" \
	"$(head -n 1 /host/mnt/two/metadata | cut -d ' ' -f 1-4)"
check "babeltrace2 2.1 reads CTF 2" read_by_newer two /mnt/two
check "all events that were recorded" same "$recorded" "$(wc -l </host/mnt/two.txt)"
check "the same packets in CTF 1.8" in_ctf_1_8 /mnt/two /mnt/one
check "babeltrace2 2.1 reads CTF 1.8" read_by_newer one /mnt/one
flat one >/tmp/one
flat two >/tmp/two
check "each event has the same time, names and values" cmp /tmp/one /tmp/two
check "events of 100 classes are there" same 100 "$(grep -c '/thousand_10[0-9][0-9]: ' /tmp/two)"
check "stacks are in the context" same "$recorded" "$(grep -c ', ustack = \[.*\] }, {' /host/mnt/two.txt)"
head -n 1 /tmp/two | sed 's/^/# /'
for name in one two; do
	check "$name: as many are lost" same "$lost" \
		"$(sed -n 's/.*Tracer discarded \([0-9]*\) event.*/\1/p' /host/mnt/$name.said | awk '{ sum += $1 } END { print sum }')"
done
check "both at once" read_by_newer both /mnt/one /mnt/two
check "both have one time line: each time is there in both" same "$((2 * recorded)) " \
	"$(wc -l </host/mnt/both.txt) $(cut -d ' ' -f 1 /host/mnt/both.txt | uniq -c | awk '$1 % 2')"
check "babeltrace2 of Debian 12 reads the packets" babeltrace --clock-seconds /mnt/one
check "babeltrace2 of Debian 12 does not read CTF 2" sh -c "! chroot /host babeltrace2 /mnt/two >/dev/null 2>&1"

# The values that were fired; over the network, in parts, from a flight recorder.
ip link set lo up
hostname box
become "$top/tools/kmark" record listen -o /mnt/listened --count 1 2>/tmp/listener &
until grep -q listening /tmp/listener; do sleep 0.1; done
run record --ctf 2 --raw-addresses --stream 127.0.0.1 'types_*' -- sh -c "echo $N >$F/fire"
check "a recording that is sent" same "0 kmark: 127.0.0.1:7706: $((2 * N)) events recorded, none lost" "$status $said"
wait
check "babeltrace2 2.1 reads it" read_by_newer sent /mnt/listened/box-1
check "all events, with all their arguments" check_trace text $N </host/mnt/sent.txt
run record --ctf 2 --raw-addresses --rotate-size 32K -o /mnt/parts 'fields_*' -- sh -c "echo $((10 * N)) >$FIELDS"
check "a recording in parts" same 0 "$status"
check "babeltrace2 2.1 reads them" read_by_newer parts /mnt/parts
check "all fields of all events" host "$python" "$top/tools/testing/guest/fields_compared.py" /mnt/parts.txt $((10 * N))
check "several parts" test -s /host/mnt/parts/000003/metadata
run record --flight --raw-addresses 'types_*'
echo $N >$F/fire
run record snapshot --ctf 2 -o /mnt/snapshot
check "a snapshot" holds "$status $said" "0 kmark: /mnt/snapshot: $((2 * N)) events recorded"
check "babeltrace2 2.1 reads it" read_by_newer snapshot /mnt/snapshot
check "all events of it, with all their arguments" check_trace text $N </host/mnt/snapshot.txt
run disconnect '*' ctf

run record --ctf 3 -o /mnt/none types_ints -- true
check "a version that there is not is status 2" holds "$status $said" "argument --ctf: invalid choice: '3'"
run record --flight --ctf 2 types_ints
check "a flight recorder writes none" holds "$status $said" "2 kmark: record: a flight recorder runs on by itself"
check "verify reports no mismatch" verified
tap_done
