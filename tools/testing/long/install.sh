#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A guest whose root is a folder of the host: loads the modules that lie there, connects a probe
# to a marker, sees an event, and unloads all. Prints what install.t reads: "loaded NUMBER",
# "event TEXT", "unloaded".
#
# Arguments: the folder; what loads a module, given its line of modules.list; what kmark is
# called there, or ""; a module with the marker marked_level; the lines of modules.list.
root=/host$1
load=$2
kmark=$3
marked=$4
shift 4
for folder in proc sys dev; do
	mount -o rbind /$folder "$root/$folder" || exit
done

inside() {
	chroot "$root" /bin/sh -c "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; $1"
}

loaded=0
for module; do
	inside "$load" <<END_INPUT || exit
$module
END_INPUT
	name=${module##*/}
	[ ! -d "/sys/module/$name" ] || loaded=$((loaded + 1))
done
echo "loaded $loaded"

insmod "$root$marked" || exit
if [ "$kmark" ]; then
	inside "$kmark connect marked_level event" || exit
else
	echo connect marked_level event >/sys/kernel/debug/markers/control || exit
fi
echo 1 >/sys/kernel/tracing/events/marked/marked_level/enable || exit
echo 5 >/sys/module/marked/parameters/level
sed -n 's/.*: marked\/marked_level: /event /p' /sys/kernel/tracing/trace
echo 0 >/sys/kernel/tracing/events/marked/marked_level/enable
if [ "$kmark" ]; then
	inside "$kmark disconnect marked_level" || exit
else
	echo 'disconnect *' >/sys/kernel/debug/markers/control || exit
fi

rmmod marked || exit
names=
for module; do
	names="${module##*/} $names"
done
for name in $names; do
	rmmod "$name" || exit
done
[ -e /sys/kernel/debug/markers ] || [ -e /sys/kernel/tracing/events/markers ] || grep marker /proc/modules || echo unloaded
