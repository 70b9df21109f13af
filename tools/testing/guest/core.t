#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# markers.ko through its files: connecting, counting, refusing, loading, unloading.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

load marker_test
load markers
check "a module loaded before markers.ko is found" same 15 "$(grep -c subsys_mark1 $M/sites | awk -F '\t' '{ print $1 + 1 }')"
check "MARK() is nop5" same nop5 "$(awk -F '\t' '$4 ~ /^fire_auto/ { print $5 }' $M/sites)"
check "freed init text is not patched" same gone "$(state test_init)"
for probe in empty copy count args; do
	case $probe in
	args) load probe_args ;;
	*) load probe_$probe ;;
	esac
done
check "all sites are closed, and verify reports no mismatch" verified
log_mark
check "a marker whose text is gone is refused" refused ENOENT "connect test_init count"
check "the log says so" logged '"test_init": the text of its sites is gone'
check "it can be armed, for the next load" accepted "arm test_init count; disconnect test_init"

# Connect, count, disconnect.
check "each address is in its own symbol" same 0 "$(grep -c '+0xffff' $M/sites)"
check "a site has a switch beside its gate" same "nop5 switch" \
	"$(rows test_behind sites | awk -F '\t' '{ print $5 }' | sort | xargs)"
check "connect a marker with a switch" accepted "connect test_behind count"
check "the switch is called with true" same Y "$(cat /sys/module/marker_test/parameters/behind)"
check "gate and switch are open" same "open open" \
	"$(rows test_behind sites | awk -F '\t' '{ print $6 }' | xargs)"
fire 5
check "the marker with a switch is reached" same 5 "$(hits count)"
accepted "connect test_behind args" >/dev/null
check "disconnect one of two probes of a marker with a switch" accepted "disconnect test_behind count"
fire 1
check "a probe that prints, called by a function that calls nothing else" logged "args: marker_test/test_behind"
check "the switch stays on" same Y "$(cat /sys/module/marker_test/parameters/behind)"
check "disconnect the other probe" accepted "disconnect test_behind"
check "the switch is called with false" same N "$(cat /sys/module/marker_test/parameters/behind)"
check "connect" accepted "connect subsys_mark1 count"
check "all 14 kinds of gate are open" same open "$(state subsys_mark1)"
check "verify reports no mismatch" verified
check "control says how to restore it" same "connect subsys_mark1 count" "$(cat $M/control)"
fire 10
check "each site is seen each time" same 140 "$(hits count)"
check "disconnect" accepted "disconnect subsys_mark1"
check "disconnect closes all gates" same closed "$(state subsys_mark1)"
check "nothing is connected" same "" "$(cat $M/control)"
fire 10
accepted "connect subsys_mark1 count" >/dev/null
check "a new connection counts from 0" same 0 "$(hits count)"
before=$(hits count)
accepted "disconnect subsys_mark1 count" >/dev/null
fire 10
check "a disconnected counter does not change" same "$before" 0
check "empty and copy connect" accepted "connect subsys_mark1 empty
connect subsys_mark1 copy"
fire 3
check "copy has the last argument" same 13 "$(cat /sys/module/probe_copy/parameters/last_value)"
accepted "disconnect *" >/dev/null

# Arguments.
log_mark
check "args connects to markers with different formats" accepted "connect test_* args"
fire 1
check "eight arguments, as their types say" logged \
	"args: marker_test/test_types (s8,u8,s16,u16,s32,u32,s64,str): -1 255 -2 65535 -3 4294967295 -4 text"
check "args prints a marker without arguments" logged "args: marker_test/test_none (): nothing"
check "args prints one argument" logged "args: marker_test/test_one (str): text"
check "args prints three arguments" logged "args: marker_test/test_three (s8,s16,s32): -1 -2 -3"
check "args prints five arguments" logged "args: marker_test/test_five (s8,u8,s16,u16,s32): -1 255 -2 65535 -3"
accepted "disconnect test_*" >/dev/null

# Bad input: the right error, a word in the log, nothing changed.
accepted "connect test_one count" >/dev/null
log_mark
check "a format mismatch is refused" refused EINVAL "connect test_types empty"
check "the log names both formats" logged 'format "%d %u %d %u %d %u %lld %s", probe empty expects "%d %p"'
check "a probe that checks formats itself refuses a mismatch" refused EINVAL "connect test_types args only=%d"
check "a probe that checks formats itself accepts a match" accepted "connect test_copies args only=%d"
accepted "disconnect test_copies" >/dev/null
check "an unknown marker is refused" refused ENOENT "connect no_such count"
check "the log names the unknown marker" logged 'no site matches "no_such"'
check "an unknown probe is refused" refused ENOENT "connect subsys_mark1 no_such"
check "the log names the unknown probe" logged 'no probe "no_such"'
check "an incomplete command is refused" refused EINVAL "connect subsys_mark1"
check "an unknown command is refused" refused EINVAL "frob subsys_mark1 count"
check "surplus words are refused" refused EINVAL "disconnect test_one count more"
check "words that the probe does not accept are refused" refused EINVAL "connect test_two count arg=1"
check "disconnecting an unconnected marker is refused" refused ENOENT "disconnect subsys_mark1"
check "a bad selector is refused" refused EINVAL "connect site:x count"
check "a good command before a bad one is not done" refused ENOENT \
	"connect subsys_mark1 count; disconnect test_one; connect no_such count"
before=$(cat $M/control $M/sites)
dd if=/dev/zero bs=5M count=1 2>/dev/null | tr '\0' a >/tmp/5M
check "a write of 5 MB is refused" same "Argument list too long" \
	"$(dd if=/tmp/5M of=$M/control bs=5M count=1 2>&1 | sed -n 's/.*: //p' | head -n 1)"
check "a write of 5 MB changes nothing" same "$before" "$(cat $M/control $M/sites)"
dd if=/dev/zero of=/tmp/zeros bs=100 count=1 2>/dev/null
check "zero bytes are refused" same "Invalid argument" \
	"$(dd if=/tmp/zeros of=$M/control bs=100 2>&1 | sed -n 's/.*: //p' | head -n 1)"
check "comments and blank lines are accepted" accepted "# nothing

  "
check "the same probe twice is refused" refused EEXIST "connect test_one count"
check "the same probe by another selector is refused" refused EEXIST "connect test_* count"
accepted "disconnect *" >/dev/null

# Several probes, in order, each with its words.
check "one probe connects three times, with different words" accepted \
	"connect test_three order a; connect test_three order b; connect test_three order c"
fire 1
check "three connections are called in order" same abc "$(cat /sys/module/probe_args/parameters/trail)"
check "another connection replaces them" accepted "disconnect test_three order; connect test_three order x"
fire 1
check "the remaining connection is called" same abcx "$(cat /sys/module/probe_args/parameters/trail)"
check "markers counts sites and names probes" same "1 1 order" \
	"$(rows test_three markers | awk -F '\t' '{ print $2, $3, $4 }')"
accepted "disconnect *" >/dev/null
accepted "connect test_three count" >/dev/null
accepted "connect test_three order y" >/dev/null
fire 5
check "count counts beside another probe" same 5 "$(hits count)"
accepted "disconnect test_three order" >/dev/null
fire 5
check "count alone again, without a gap" same 10 "$(hits count)"
check "the call is direct again" verified
accepted "disconnect *" >/dev/null
check "connect with a limit" accepted "connect subsys_mark1 count first=100"
check "control shows the limit" same "connect subsys_mark1 count first=100" "$(cat $M/control)"
fire 2
check "a connection with a limit counts" same 28 "$(hits count)"
accepted "disconnect *" >/dev/null
words=$(for i in a b c d e f g h i j k l m n o p; do echo "connect test_none order $i"; done)
check "a site takes sixteen probes" accepted "$words"
check "a seventeenth probe is refused" refused ENOSPC "connect test_none order q"
accepted "disconnect *" >/dev/null

# Selectors.
id=$(site_field test_one nop5 1)
check "connect one site by number" accepted "connect site:$id count"
check "the site with that number is open" same open "$(state test_one)"
check "other sites stay closed" same closed "$(state test_none)"
accepted "disconnect site:$id" >/dev/null
line=$(rows test_five sites | awk -F '\t' '{ print $9 }')
check "connect by source line" accepted "connect sites.c:${line##*:} count"
check "only the site of that line is open" same "open closed" "$(state test_five) $(state test_four)$(state test_three)"
accepted "disconnect *" >/dev/null
check "connect a whole module" accepted "connect module:marker_te* count"
check "all sites of that module are open" same "open open" "$(state test_five) $(state subsys_mark1)"
accepted "disconnect *" >/dev/null
check "connect the copy of a site in one function" accepted "connect shared_step@fire_right count"
check "the copy in the other function stays closed" same "fire_left closed fire_right open" \
	"$(rows shared_step sites | awk -F '\t' '{ sub(/\+.*/, "", $4); print $4, $6 }' | sort | xargs)"
fire 10
check "events of one function are counted" same 10 "$(hits count)"
check "with a copy left closed verify reports no mismatch" verified
log_mark
check "other copies are refused meanwhile" refused EEXIST "connect shared_step args"
check "the log says what to do" logged "is connected in other functions than \"shared_step\" says: disconnect it first, in a write of its own"
cat $M/control >/tmp/saved
accepted "disconnect *" >/dev/null
check "control restores a connection by function" accepted "$(cat /tmp/saved)"
fire 10
check "events of that function are counted again" same 10 "$(hits count)"
accepted "disconnect shared_step@fire_right" >/dev/null
check "no copy is open" same closed "$(state shared_step)"
check "a function without the marker is refused" refused ENOENT "connect shared_step@fire_types count"
check "half a name of a function is refused" refused ENOENT "connect shared_step@fire_righ count"
check "a marker by function in a glob is refused" refused EINVAL "connect shared_*@fire_right count"
accepted "arm shared_step@fire_left count" >/dev/null
unload marker_test
load marker_test
fire 10
check "a module that is loaded again has that copy open only" same 10 "$(hits count)"
accepted "disconnect *" >/dev/null
check "connect a site with copies" accepted "connect test_copies count"
fire 10
check "a site with copies is counted once a run" same 10 "$(hits count)"
accepted "disconnect *" >/dev/null

# Modules that are in use, and unloading in any order.
accepted "connect test_one count" >/dev/null
check "a connected probe cannot be unloaded" same 1 "$(rmmod probe_count 2>/dev/null; echo $?)"
check "markers.ko cannot be unloaded while a probe is loaded" same 1 "$(rmmod markers 2>/dev/null; echo $?)"
check "an instrumented module can be unloaded while connected" unload marker_test
check "control shows the connection as pending" same "arm test_one count	# pending" "$(cat $M/control)"
load marker_test
check "the site is open when its module is loaded again" same open "$(state test_one)"
accepted "disconnect *" >/dev/null
unload marker_test
check "arm waits for a module" accepted "arm test_init count
arm test_one count"
check "arming twice is refused" refused EEXIST "arm test_init count"
load marker_test
check "its sites open before its init runs" same 1 "$(hits count)"
accepted "disconnect *" >/dev/null
unload marker_test
log_mark
check "arm two selectors that overlap" accepted "arm test_* count; arm test_o* count"
load marker_test
check "a late site gets the probe once" same "open 1" "$(state test_one) $(rows test_one markers | awk -F '\t' '{ print $4 }' | tr , '\n' | wc -l)"
check "nothing is logged about the overlap" same "" "$(dmesg | grep 'has probe')"
check "the site in init text is gone" same gone "$(state test_init)"
accepted "disconnect *" >/dev/null
check "probes are unloaded first" unload probe_args probe_count probe_copy probe_empty
check "then markers.ko is unloaded, and the instrumented module stays" unload markers
fire 5

# The text is as before the first load; a markers.ko that patches nothing finds it so.
load markers patch=0
check "the log says that nothing is patched" logged "text is not patched, as asked"
check "MARK() is a NOP again" same "$nop" "$(awk -F '\t' '$4 ~ /^fire_auto/ { print $7 }' $M/sites)"
load probe_count
check "verify reports no mismatch with patch=0" verified
check "with patch=0 a site with a code gate is refused" refused EOPNOTSUPP "connect test_one count"
id=$(awk -F '\t' '$5 == "key" { print $1 }' $M/sites)
check "with patch=0 a site with a static key is refused, since its call is patched" refused EOPNOTSUPP "connect site:$id count"
# Find the site of MARK_GENERIC(): the calls of the other generic sites are patched.
awk -F '\t' '$5 == "generic" { print $1 }' $M/sites >/tmp/generic
while read -r id; do
	control "connect site:$id count"
	[ "$errno" != 0 ] || break
done </tmp/generic
check "with patch=0 a generic site connects" same 0 "${errno:-none}"
fire 7
check "the generic site counts" same 7 "$(hits count)"
accepted "disconnect *" >/dev/null
unload probe_count markers
for gate in $other_gates; do
	check "gate=$gate, which is none of $(uname -m), is refused" same 22 "$(load markers "gate=$gate" 2>/dev/null; echo $?)"
done
for gate in $gates; do
	load markers "gate=$gate"
	check "gate=$gate" same "$gate" "$(awk -F '\t' '$4 ~ /^fire_auto/ { print $5 }' $M/sites)"
	load probe_count
	accepted "connect test_one count" >/dev/null
	fire 3
	check "a site counts with gate=$gate" same 3 "$(hits count)"
	accepted "disconnect *" >/dev/null
	unload probe_count markers
done
for gate in call imm generic; do
	check "gate=$gate is refused" same 22 "$(load markers gate=$gate 2>/dev/null; echo $?)"
done

# Kinds of gates whose rows are in a module.
check "marker_gates.ko cannot be unloaded while a module has such sites" same 1 "$(rmmod marker_gates 2>/dev/null; echo $?)"
load markers
unload marker_test
check "marker_gates.ko can be unloaded without such modules" unload marker_gates
load marker_test
check "marker_gates.ko can be loaded after markers.ko" same 14 "$(grep -c subsys_mark1 $M/sites)"
unload markers marker_test marker_gates
if ! has_gate flip; then
	skip "a site of a kind that is not registered is refused alone" "the kinds of marker_gates.ko are generic here"
	tap_done
fi
sed 's/__marker_ops_1/__absent_ops_1/g' /marker_gates.ko >/tmp/marker_gates.ko
load markers
check "kinds are registered with their module, and go with it" sh -c "insmod /marker_gates.ko && rmmod marker_gates"
insmod /tmp/marker_gates.ko
log_mark
load marker_test
check "sites of a kind that is not registered are refused, which the log says once for each" same 7 \
	"$(dmesg | grep -c "marker_test: marker_test/subsys_mark1 (.*) is not used: expected a registered kind of gate, found ")"
check "the log says which module to load first" logged \
	"load the module that registers it before this one"
check "all sites of that module are known" same 14 "$(grep -c subsys_mark1 $M/sites)"
check "those that are refused have no gate" same "unknown refused - - -" \
	"$(awk -F '\t' '$6 == "refused" { print $5, $6, $4, $7, $8 }' $M/sites | sort -u)"
check "the others are closed" same closed "$(awk -F '\t' 'NR > 1 && $6 != "refused" && $6 != "gone" { print $6 }' $M/sites | sort -u | xargs)"
log_mark
id=$(awk -F '\t' '$6 == "refused" { print $1; exit }' $M/sites)
load probe_count
check "such a site cannot be connected" refused EOPNOTSUPP "connect site:$id count"
check "the log says why, and what to load" logged \
	") is not used: expected a registered kind of gate, found "
check "the other sites of its marker can" accepted "connect subsys_mark1 count"
fire 3
check "they count" same 21 "$(hits count)"
check "verify reports no mismatch" verified
check "and all of the module can" accepted "disconnect *; connect module:marker_test count"
check "all are disconnected" accepted "disconnect *"
unload probe_count marker_test marker_gates
load marker_test
check "with the kind registered before its module no site is refused" same "" \
	"$(awk -F '\t' '$6 == "refused"' $M/sites)"
tap_done
