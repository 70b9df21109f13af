#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# markers.ko is unloaded while text may still reach it.
. /lib.sh

load marker_test
load marker_foreign
load markers
address=$(address_of "$(site_field subsys_mark1 pun 4)")
closed=$(peek "$address" | cut -c 1-10)

# Behind our back the gate is open, to its landing pad. Nobody has looked.
poke "$address" "e9${closed#??}"
check "a gate that somebody has opened is closed by rmmod" unload markers
check "its bytes are as built" same 0f1f440000 "$(peek "$address" | cut -c 1-10)"
fire 3
check "and it can be run" same 0f1f440000 "$(peek "$address" | cut -c 1-10)"

load markers
check "all is well again" verified
closed=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
check "a foreign gate is busy" same "bad: 1" "$(tail -n 1 $M/verify | sed 's/bad: .* sites, /bad: /; s/ mis.*//')"
check "verify has marked it" same 1 "$(stat_of busy)"
check "then markers.ko stays" same 1 "$(rmmod markers 2>/dev/null; echo $?)"
fire 3
poke "$address" "$closed"
check "it is ours again" verified
check "and nothing is busy" same 0 "$(stat_of busy)"

# Nobody has looked: rmmod finds it, and waits.
poke "$address" 6666666690
rmmod markers &
sleep 2
check "rmmod waits" kill -0 $!
fire 3
check "and says for what" logged "unloading waits"
poke "$address" "e9${closed#??}"
fire 3
wait $!
check "until the bytes are known" same 0 $?
check "they are as built" same 0f1f440000 "$(peek "$address" | cut -c 1-10)"
fire 3
check "markers.ko can be loaded again" load markers
check "verify" verified
unload markers
tap_done
