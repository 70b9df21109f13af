#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's addresses are hidden in a trace, and only its owner can read it.
# guest: host_root=yes arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

A=/sys/kernel/debug/marker_addresses
load marker_addresses
address=$(awk '$3 == "fire_addresses" { print $1 }' /proc/kallsyms)

# address_count DIR: how often the address occurs in the trace.
address_count() {
	host "$python" -P -c "import pathlib
print(sum(path.read_bytes().count((0x$address).to_bytes(8, 'little'))
          for path in pathlib.Path('$1').glob('cpu*')))"
}

umask 0
run record -o /mnt/hashed address_hidden -- sh -c "echo 10 >$A/fire"
check "record with hashed addresses" holds "$status $said" "10 events recorded, none lost"
check "only the owner can use the folder" same 700 "$(stat -c %a /host/mnt/hashed)"
check "only the owner can read the files" same 600 "$(stat -c %a /host/mnt/hashed/* | sort -u)"
check "the address is not in the trace" same 0 "$(address_count /mnt/hashed)"
check "babeltrace2 reads it" babeltrace /mnt/hashed
hashes=$(sed 's/.*arg0 = \([^,]*\), arg1 = \([^,]*\), arg2 = \([^,]*\),.*/\1 \2 \3/' /tmp/text | sort -u)
first=${hashes%% *}
check "equal addresses have equal hashes, NULL is 0" same "$first $first 0x0" "$hashes"
check "the upper half of a hash is 0" same 0 $((first >> 32))
check "integers are not hashed" same 9 "$(sed -n '$s/.*arg3 = \([0-9]*\).*/\1/p' /tmp/text)"
check "the metadata says that addresses are hashed" grep -q 'addresses = "hashed"' /host/mnt/hashed/metadata

run record -o /mnt/shown address_shown -- sh -c "echo 10 >$A/fire"
check "%px is not hashed" same 10 "$(address_count /mnt/shown)"
run record --raw-addresses -o /mnt/raw 'address_*' -- sh -c "echo 10 >$A/fire"
check "with --raw-addresses no address is hashed" same 30 "$(address_count /mnt/raw)"
check "babeltrace2 reads it" babeltrace /mnt/raw
check "babeltrace2 shows the raw address" holds "$(cat /tmp/text)" "arg0 = 0x$(echo "$address" | tr a-f A-F)"

run record --flight 'address_*'
echo 10 >$A/fire
run record snapshot -o /mnt/flight
check "a snapshot has hashed addresses, in files of mode 0600" same "0 10 600" \
	"$status $(address_count /mnt/flight) $(stat -c %a /host/mnt/flight/* | sort -u)"
tap_done
