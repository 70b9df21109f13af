#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# markers.ko is unloaded while text may still reach it.
# guest: timeout=300 debug=useful arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

load marker_test
load marker_foreign
load markers
address=$(address_of "$(site_field subsys_mark1 pun 4)")
closed=$(peek "$address" | cut -c 1-10)

# Other code opens the gate, to its landing pad; markers.ko does not read it before rmmod.
poke "$address" "e9${closed#??}"
check "a gate opened by other means is closed by rmmod" unload markers
check "the gate has the bytes of the compiler again" same 0f1f440000 "$(peek "$address" | cut -c 1-10)"
fire 3
check "the function with the closed gate runs" same 0f1f440000 "$(peek "$address" | cut -c 1-10)"

load markers
check "a newly loaded markers.ko finds no mismatch" verified
closed=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
check "a foreign gate is busy" same "bad: 1" "$(tail -n 1 $M/verify | sed 's/bad: .* sites, /bad: /; s/ mis.*//')"
check "stats counts the busy gate" same 1 "$(stat_of busy)"
check "markers.ko cannot be unloaded while a gate is busy" same 1 "$(rmmod markers 2>/dev/null; echo $?)"
fire 3
poke "$address" "$closed"
check "verify reports no mismatch when the bytes are back" verified
check "no gate is busy" same 0 "$(stat_of busy)"

# markers.ko does not read the gate again, so rmmod finds the bytes and waits.
poke "$address" 6666666690
rmmod markers &
sleep 2
check "rmmod waits if it is the first to find foreign bytes" kill -0 $!
fire 3
check "the log says what rmmod waits for" logged "unloading waits"
poke "$address" "e9${closed#??}"
fire 3
wait $!
check "rmmod ends when the bytes are known" same 0 $?
check "the gate has the bytes of the compiler after rmmod" same 0f1f440000 "$(peek "$address" | cut -c 1-10)"
fire 3
check "markers.ko can be loaded again" load markers
check "verify reports no mismatch" verified

# The module of the foreign bytes goes while rmmod waits; modules come and go.
poke "$address" 6666666690
rmmod markers &
sleep 2
check "rmmod waits again" kill -0 $!
check "the module goes" unload marker_test
check "and comes again" load marker_test
wait $!
check "rmmod ends, as no text is left to be restored" same 0 $?
fire 3
check "markers.ko can be loaded once more" load markers
check "and verify reports no mismatch" verified
unload markers
tap_done
