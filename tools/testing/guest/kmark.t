#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tools/kmark, from the host's root, against a real markers.ko.
# guest: cpus=1 host_root=yes

on_host() {
	make -s -C "$top" pyz >&2
	# Where another user can read it, whoever owns this tree.
	readable=$(mktemp -d) || exit 1
	trap 'rm -rf "$readable"' EXIT
	chmod 755 "$readable"
	cp "$top/build/kmark.pyz" "$readable"
	boot "$readable/kmark.pyz"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
kmark=$1/tools/kmark
home=$2
pyz=$3

load markers
load marker_test
load probe_count

run() {
	output=$(chroot /host env HOME="$home" "$kmark" "$@" 2>/tmp/err)
	status=$?
}

run list --json
check "list --json has the markers" holds "$output" '"marker_test/subsys_mark1"'
run connect 'test_t*' count
check "connect" same "0 open open" "$status $(state test_types) $(state test_three)"
fire 4
run list probes
check "the counter rises" same 8 "$(echo "$output" | awk '$1 == "count" { print $5 }')"
run list sites --json
check "list sites --json has the kinds of gates" holds "$output" '"nop5"'
run list --verify
check "verify" same "0 ok: 24 sites, 0 mismatches" "$status $output"
run connect no_such count
check "an unknown marker is status 1" same 1 "$status"
check "an unknown marker is named on stderr" holds "$(cat /tmp/err)" "'connect no_such count' is refused: no site matches"
run connect tets_types count
check "the marker that was meant is named" holds "$(cat /tmp/err)" "did you mean 'test_types'?"
run connect test_types cuont
check "the probe that was meant is named" holds "$(cat /tmp/err)" "did you mean 'count'?"
run stat tets_types -- true
check "stat names the marker that was meant, too" holds "$(cat /tmp/err)" "did you mean 'test_types'?"
run connect shared_step@fire_rihgt count
check "the function that was meant is named" holds "$(cat /tmp/err)" "did you mean 'fire_right'?"
run connect shared_step@nowhere count
check "the functions of a marker are named" holds "$(cat /tmp/err)" "; shared_step is in fire_left, fire_right"
run connect shared_sept@fire_right count
check "the marker that was meant before a function is named" holds "$(cat /tmp/err)" "did you mean 'shared_step'?"
run conect test_types count
check "the verb that was meant is named, status 2" same "2 yes" \
	"$status $(grep -q "there is no verb 'conect'; did you mean 'connect'?" /tmp/err && echo yes)"
run disconnect 'test_t*' count
check "disconnect one probe" same "0 closed" "$status $(state test_types)"
run connect 'test_t*' count
run disconnect 'test_t*'
check "disconnect" same "0 closed" "$status $(state test_types)"

# Run kmark.pyz alone, without home, cache and variables, on a root that is read-only.
alone() {
	output=$(chroot /host env -i "$@" 2>/tmp/err)
	status=$?
}
alone "$pyz" connect test_one count
check "kmark.pyz connects" same "0 open" "$status $(state test_one)"
alone "$pyz" list
check "kmark.pyz lists" holds "$output" test_one
alone "$pyz" list --verify
check "kmark.pyz verifies" same "0 ok: 24 sites, 0 mismatches" "$status $output"
alone "$pyz" stat test_one -- /bin/true
check "kmark.pyz counts" same 0 "$status"
alone "$pyz" disconnect test_one
check "kmark.pyz disconnects" same "0 closed" "$status $(state test_one)"
alone "$pyz" bench
check "kmark.pyz says what bench needs" holds "$status $(cat /tmp/err)" "1 kmark: this verb needs the project's files"
alone /usr/bin/setpriv --reuid=65534 --clear-groups "$pyz" list
check "kmark.pyz is refused what only root may" holds "$status $(cat /tmp/err)" "Permission denied; only root can"
alone /usr/bin/setpriv --reuid=65534 --clear-groups "$pyz" list --help
check "another user reads kmark.pyz's help" holds "$status $output" "0 usage: kmark list"

# Verbs that observe markers.
load probe_hist
load probe_trace
cat >/tmp/fire <<END
sleep 1
echo 3 >$T/fire
sleep 1
END
mount -t tmpfs run /host/run
cp /tmp/fire /host/run/fire
accepted "connect test_one count" >/dev/null
run stat -I 500ms 'test_t*' test_one -- /bin/sh /run/fire
check "stat: intervals" same "0 3 3" "$status $(echo "$output" | awk '
	$3 == "marker_test/test_one" { sum += $2 } $3 == "marker_test/test_three" { lines++ } END { print sum, sum * lines }')"
check "stat prints each marker for each interval" holds "$output" " marker_test/test_three"
check "stat removes its own connections only" same "connect test_one count" "$(cat $M/control)"
run stat --json test_one -- /bin/sh /run/fire
check "stat --json" holds "$output" '"what": "total", "markers": {"marker_test/test_one": 3}'
run stat no_such
check "stat of an unknown marker is status 1" same "1 kmark: stat: no marker matches 'no_such'" "$status $(cat /tmp/err)"
run stat test_one -- /no/such/command
check "stat with a missing command is status 2" same "2 kmark: /no/such/command: No such file or directory" \
	"$status $(head -n 1 /tmp/err)"
check "a missing command leaves no connection" same "connect test_one count" "$(cat $M/control)"
run stat test_one -- /bin/sh -c 'exit 7'
check "stat returns the status of its command" same 7 "$status"
run stat 'test_t*' -- /bin/sh -c "echo 'disconnect marker_test/test_three' >$M/control"
check "stat disconnects the rest where another program has disconnected one" same "0 connect test_one count" \
	"$status $(cat $M/control)"
run hist -c 'test_five hist first=0x7 arg=1' -- /bin/sh /run/fire
check "hist finds its connection by its words" same "0 connect test_one count" "$status $(cat $M/control)"
run hist -c 'test_five hist arg=1' -- /bin/sh /run/fire
check "hist" holds "$output" "128..255  3  ########"
run hist -c 'test_five hist arg=9' -- /bin/sh /run/fire
check "hist of a missing argument is status 1" same "1" "$status"
run watch --if 'arg0==2' -n 2 subsys_mark1 -- /bin/sh /run/fire
check "watch" same "0 2" "$status $(echo "$output" | grep -c ' marker_test/subsys_mark1 sites.c:[0-9]* 2 ')"
run watch --json test_one -- /bin/sh /run/fire
check "watch --json" same 3 "$(echo "$output" | grep -c '"marker": "marker_test/test_one", .*"text": "text"')"
check "watch leaves no connection" same "connect test_one count" "$(cat $M/control)"
chroot /host env HOME="$home" sh -c "'$kmark' watch test_one -- /bin/sh /run/fire | head -n 1" >/tmp/first 2>/tmp/err
check "watch shows an event to a reader that then ends, and nothing else" same "1 " \
	"$(grep -c ' marker_test/test_one ' /tmp/first) $(cat /tmp/err)"
check "it leaves no connection either" same "connect test_one count" "$(cat $M/control)"
check "watch leaves no trace instance" same "" "$(find /sys/kernel/tracing/instances -name 'kmark*')"

# The same verbs of the one file; only /run can be written.
load probe_ctf
run record -o /run/none tets_types -- true
check "record names the marker that was meant, as connect does" holds "$(cat /tmp/err)" "did you mean 'test_types'?"
alone "$pyz" hist -c 'test_five hist arg=1' -- /bin/sh /run/fire
check "kmark.pyz draws a histogram" holds "$status $output" "128..255  3  ########"
alone "$pyz" watch -n 2 test_one -- /bin/sh /run/fire
check "kmark.pyz watches" same "0 2" "$status $(echo "$output" | grep -c ' marker_test/test_one ')"
alone "$pyz" record -o /run/trace test_one -- /bin/sh /run/fire
check "kmark.pyz records" holds "$status $(cat /tmp/err)" " 3 events recorded, none lost"
check "the trace is there" test -s /host/run/trace/metadata
alone "$pyz" record -o /trace test_one
check "kmark.pyz names a root that is read-only" same "1 kmark: /trace: Read-only file system" "$status $(cat /tmp/err)"
alone "$pyz" record --flight test_one
fire 2
alone "$pyz" record snapshot -o /run/snapshot
check "kmark.pyz takes a snapshot" holds "$status $(cat /tmp/err)" " 2 events recorded"
accepted "disconnect *" >/dev/null
run connect --arm not_yet count
check "arm" same "0 arm not_yet count	# pending" "$status $(cat $M/control)"
tap_done
