#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# arm64: a call whose probe is out of reach leads to a stub of its module, which calls the
# probe by the link. Modules lie close together here, so the call is written by the test;
# which one markers.ko writes for which distance, arm64.t shows.
# guest: cpus=1

on_host() {
	not_on x86_64 "a call reaches all text on x86-64"
	boot
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# word ADDRESS: the instruction there; bytes WORD: the same as they lie in memory.
word() {
	echo $((0x$(peek "$1" | sed 's/\(..\)\(..\)\(..\)\(..\).*/\4\3\2\1/')))
}

bytes() {
	printf '%08x\n' "$1" | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/'
}

# call_of ADDRESS: the first bl from there on.
call_of() {
	at=$((0x$1))
	tries=64
	while [ $(($(word "$(printf '%x' $at)") >> 26)) != 37 ] && [ $((tries -= 1)) -gt 0 ]; do
		at=$((at + 4))
	done
	printf '%x\n' $at
}

# bl FROM SYMBOL: bytes of a call there of a symbol of marker_test.
bl() {
	bytes $((0x94000000 | ((0x$(address_of "$2+0/0") - 0x$1) >> 2 & 0x3ffffff)))
}

load marker_test
load markers
load probe_count
load marker_foreign
accepted "connect subsys_mark1 count" >/dev/null
gate=$(address_of "$(awk -F '\t' '$4 ~ /^fire_nop5\+/ { print $4 }' $M/sites)")
cold=$(printf '%x' $((0x$gate + (($(word "$gate") & 0x3ffffff) << 38 >> 36))))
call=$(call_of "$cold")
direct=$(peek "$call" | cut -c 1-8)
check "the open gate leads to a call" same 37 $(($(word "$call") >> 26))
fire 5
check "each site is seen each time" same 70 "$(hits count)"
poke "$call" "$(bl "$call" marker_call_none)"
fire 5
check "a call of what does nothing is not seen" same 135 "$(hits count)"
poke "$call" "$(bl "$call" marker_call_link)"
fire 5
check "a call by the link is seen" same 205 "$(hits count)"
poke "$call" "$direct"
check "verify reports no mismatch when the bytes are back" verified
accepted "disconnect *" >/dev/null
check "disconnect closes all gates" same closed "$(state subsys_mark1)"
tap_done
