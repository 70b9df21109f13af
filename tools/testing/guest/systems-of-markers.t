#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two modules have a marker of the same name: by default each in the system of its module. A name
# without a system selects both, a name with a system one of them.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing
R=/sys/module/marker_systems/parameters

for module in markers marker_test marker_systems probe_count probe_hist probe_latency probe_event; do
	load $module
done
# both: the states of the two markers test_three.
both() {
	echo "$(state marker_test/test_three) $(state marker_systems/test_three)"
}
check "there are two markers of one name" same "marker_systems/test_three marker_test/test_three" \
	"$(cut -f 1 $M/markers | grep '/test_three$' | sort | xargs)"
check "the marker of a file with MARK_SYSTEM has that system" same "1 0" \
	"$(grep -c '^selftest/named	' $M/markers) $(grep -c '^marker_systems/named	' $M/markers)"
check "each is an event in its system" test -d $F/events/marker_test/test_three -a \
	-d $F/events/marker_systems/test_three -a -d $F/events/selftest/named
check "no event is in the system markers" test ! -e $F/events/markers

# Names.
check "a name connects both" accepted "connect test_three count"
check "both are open" same "open open" "$(both)"
fire 2
echo 3 >$R/fire
check "events of both are counted" same 5 "$(hits count)"
check "control has the name as it was given" same "connect test_three count" "$(cat $M/control)"
check "it is connected as marker_test/test_three already" refused EEXIST "connect marker_test/test_three count"
check "a name with a system is another selector" refused ENOENT "disconnect marker_test/test_three"
check "the name disconnects both" accepted "disconnect test_three"
check "both are closed" same "closed closed" "$(both)"
check "a system and a name connect one" accepted "connect marker_systems/test_three count"
check "the other one stays closed" same "closed open" "$(both)"
fire 2
echo 3 >$R/fire
check "events of that one are counted" same 3 "$(hits count)"
check "the name without its system disconnects it" accepted "disconnect test_three"
check "it is closed" same "closed closed" "$(both)"
check "one connection of each" accepted "connect marker_systems/test_three count; connect marker_test/test_three count"
check "the name disconnects both connections" accepted "disconnect test_three"
check "nothing is connected" same "" "$(cat $M/control)"
check "another system has no such marker" refused ENOENT "connect selftest/test_three count"
check "half a name is none" refused ENOENT "connect est_three count"

# Globs.
for glob in 'test_thre?' '*/test_three' 'marker_*/test_three' '*s*/test_three'; do
	check "$glob connects both" accepted "connect $glob count"
	check "both are open" same "open open" "$(both)"
	check "$glob disconnects both" accepted "disconnect $glob"
done
check "a glob of one system" accepted "connect marker_s*/test_* count"
check "connects one" same "closed open" "$(both)"
check "a glob of names without a system disconnects it" refused ENOENT "disconnect test_three*"
check "a glob of its text does" accepted "disconnect marker_s*"
check "a glob of a system has all its markers" accepted "connect selftest/* count"
check "and no others" same "open closed closed" "$(state selftest/named) $(both)"
accepted "disconnect *" >/dev/null
check "a star is all markers" accepted "connect * count"
check "all are open" same "open open open" "$(state selftest/named) $(both)"
accepted "disconnect *" >/dev/null

# Functions, and two markers in one connection.
check "a name in one function" accepted "connect test_three@fire_systems count"
check "connects one of them" same "closed open" "$(both)"
check "and is disconnected" accepted "disconnect test_three@fire_systems"
check "a system, a name and a function" accepted "connect marker_systems/test_three@fire_systems count"
check "is disconnected without its system" accepted "disconnect test_three@fire_systems"
check "a latency begins at the markers of a name" accepted "connect selftest/named latency from=test_three key=0"
check "in both systems" same "open open open" "$(state selftest/named) $(both)"
accepted "disconnect *" >/dev/null
check "or in one" accepted "connect selftest/named latency from=marker_systems/test_three key=0"
check "and the other one stays closed" same "open closed open" "$(state selftest/named) $(both)"
echo 3 >$R/fire
check "it ends at the marker that was connected" same 3 "$(awk -F '\t' '$4 == "events" { print $6 }' $M/results)"
accepted "disconnect *" >/dev/null
check "a latency of one from the other" accepted \
	"connect marker_test/test_types latency from=marker_systems/test_three key=0; disconnect *"
check "a latency from the same markers is refused" refused EINVAL \
	"connect marker_systems/test_three latency from=test_three key=0"

# Events.
check "a name makes events of both" accepted "expose; connect test_three event"
echo 1 >$F/events/marker_test/test_three/enable
echo 1 >$F/events/marker_systems/test_three/enable
fire 1
echo 1 >$R/fire
check "the events have the names of their markers" same "marker_test/test_three: -1 -2 -3 marker_systems/test_three: 0" \
	"$(sed -n 's|.*: \(marker_[a-z]*/test_three: .*\)|\1|p' $F/trace | xargs)"
echo 0 >$F/events/marker_test/test_three/enable
echo 0 >$F/events/marker_systems/test_three/enable
check "an event of one system is exposed" accepted "disconnect *; expose marker_systems/test_three"
check "and no other" test -d $F/events/marker_systems/test_three -a ! -e $F/events/marker_test

if [ -e /marker_debug.ko ]; then
	load marker_debug
	check "a debug site is connected" accepted "connect debug_marker_debug/hidden_2 count"
	check "a name without its system is no debug site" refused ENOENT "connect hidden_2 count"
	check "nor does it end the connection" refused ENOENT "disconnect hidden_2"
	accepted "disconnect *" >/dev/null
	unload marker_debug
fi

check "a module is unloaded while both are connected" accepted "connect test_three count"
unload marker_systems
check "the marker of the other one stays open" same "open" "$(state test_three)"
load marker_systems
check "the marker is open when its module is back" same "open open" "$(both)"
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
check "all modules can be unloaded" unload probe_event probe_latency probe_hist probe_count marker_systems \
	marker_test marker_gates markers
tap_done
