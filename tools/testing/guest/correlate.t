#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark record and LTTng-UST record the same program at the same time: it has an event in user
# space, passes a marker in the kernel, has another event in user space, 1,000 times. Merged by
# babeltrace2, all are in the order in which they happened.
# A trace of the kernel and one of LTTng-UST, recorded at the same time in one guest, are on one
# time line.
# guest: host_root=yes append=tsc=reliable

on_host() {
	not_on arm64 "babeltrace2 and LTTng of this machine do not run on arm64"
	make -s -C "$top" build/native/pairs >&2 || exit 1
	boot
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"
PAIRS=1000
mount -t tmpfs run /host/run
mkdir -p /host/dev/shm
mount -t tmpfs shm /host/dev/shm

lttng() {
	host LTTNG_HOME=/mnt lttng --no-sessiond "$@" >/tmp/lttng 2>&1
}

# recorded CLOCK: both record $PAIRS pairs, into /mnt/CLOCK-kernel and /mnt/CLOCK-user.
recorded() {
	lttng create "$1" --output="/mnt/$1-user" && lttng enable-event --userspace 'lttng_ust_tracef:*' &&
		lttng start || return
	run record --clock "$1" -o "/mnt/$1-kernel" packet_sent -- \
		env LTTNG_HOME=/mnt LTTNG_UST_REGISTER_TIMEOUT=-1 "$top/build/native/pairs" "$F/packets" $PAIRS
	lttng destroy "$1" && holds "$status $said" "$PAIRS events recorded, none lost"
}

# Print the events, one word a line, in the order of babeltrace2.
order() {
	sed -nE 's/.*\/packet_sent: .*/kernel/p; s/.*msg = "(before|after) ([0-9]+)".*/\1 \2/p' /tmp/text
}

ordered() {
	babeltrace "/mnt/$1-kernel" "/mnt/$1-user" || return
	order >/tmp/found
	seq 0 $((PAIRS - 1)) | sed 's/.*/before &\nkernel\nafter &/' >/tmp/expected
	cmp /tmp/expected /tmp/found
}

# The shortest time between two of them, in ns.
shortest() {
	sed -nE '/[ \/](packet_sent|lttng_ust_tracef:event): /s/.*\(\+([0-9]+)\.([0-9]{9})\).*/\1\2/p' /tmp/text |
		sort -n | sed -n 1p | sed 's/^0*//'
}

# property FILE PATTERN: what is behind it in a metadata file.
property() {
	tr '\n' ' ' <"/host$1" | grep -aoE "$2 *=? *\"?[-0-9a-z]+" | sed -E 's/.*[ "]//' | sed -n 1p
}

host LTTNG_HOME=/mnt lttng-sessiond --no-kernel --daemonize >/tmp/sessiond 2>&1
check "the session daemon of LTTng runs" same 0 $?
for clock in mono tsc; do
	check "$clock: both record $PAIRS pairs" recorded "$clock"
	check "$clock: $PAIRS events of the kernel lie between those of user space that cause and follow them" \
		ordered "$clock"
	echo "# $clock: the shortest time between two events: $(shortest) ns"
	user=$(find "/host/mnt/$clock-user" -name metadata | sed -n 1p)
	for name in name uuid; do
		check "$clock: the clock has the $name of LTTng's" same \
			"$(property "${user#/host}" "clock \{[^}]*[^a-z]$name")" \
			"$(property "/mnt/$clock-kernel/metadata" "clock \{[^}]*[^a-z]$name")"
	done
done
check "the uuid is that of the boot" same "$(cat /proc/sys/kernel/random/boot_id)" \
	"$(property /mnt/mono-kernel/metadata 'clock \{[^}]*[^a-z]uuid')"
check "each trace has a uuid of its own" sh -c \
	"test \$(grep -hA 4 '^trace {' /host/mnt/*-kernel/metadata | grep uuid | sort -u | wc -l) -eq 2"
kill "$(cat /host/run/lttng/lttng-sessiond.pid)"
check "verify reports no mismatch" verified
tap_done
