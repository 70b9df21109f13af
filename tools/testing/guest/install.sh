# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For long/install.t: install.sh ROOT WHAT, with ROOT a folder of the host. Loads modules from
# there and says what that did.
root=/host$1
what=$2
for dir in proc sys dev tmp; do
	mount -o rbind /$dir "$root/$dir" || exit
done
inside() {
	chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
control() { echo "$*" >/sys/kernel/debug/markers/control; }
level() { echo 7 >/sys/module/marked/parameters/level; }
marked=/usr/local/src/marked/marked.ko
paths=$(sed '/^#/d' /modules.list)
names=$(echo "$paths" | sed 's|.*/||')

case $what in
refused)
	inside modprobe markers
	exit
	;;
probe_last)
	inside modprobe markers && inside insmod $marked && inside insmod /usr/local/src/probe_last/probe_last.ko &&
		control connect marked_level last 2 && level &&
		[ "$(cat /sys/module/probe_last/parameters/value)" = 7 ] && echo 1 of 1
	exit
	;;
modprobe)
	# shellcheck disable=SC2086 # several
	inside modprobe -a $names || exit
	;;
insmod)
	for path in $paths; do
		inside insmod "/usr/local/src/marker/$path.ko" || exit
	done
	;;
esac
loaded=0
for name in $names; do
	[ ! -d "/sys/module/$name" ] || loaded=$((loaded + 1))
done
inside insmod $marked || exit
if inside sh -c 'command -v kmark' >/dev/null; then
	by=kmark
	inside kmark connect marked_level count && inside kmark verify >/dev/null || exit
else
	by=control
	control connect marked_level count || exit
fi
level
echo "$loaded by $what | $(awk -F '\t' '$1 == "count" { print $5 }' /sys/kernel/debug/markers/probes), connected by $by"
