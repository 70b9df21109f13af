# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For tests that run in a guest: paths, and checks that many of them make. On the host it boots the
# guest of the test that sources it, in which the test runs again.
if [ ! -e /tap.sh ]; then
	# shellcheck source=guest.sh
	. "${0%/*}/guest.sh"
	boot_test
fi
# shellcheck source=/dev/null
. /tap.sh
# shellcheck disable=SC2034
M=/sys/kernel/debug/markers
T=/sys/kernel/debug/marker_test

# Properties of the architecture: the bytes of a closed nop5 gate, other bytes of the same length that do
# nothing either; the gates that MARK() can become, the default last, and those that it cannot; the rounds
# of a transaction of nop5 gates; an offset in a function behind what its entry may begin with; and whether
# kprobes become jumps there.
# shellcheck disable=SC2034
if [ "$(uname -m)" = aarch64 ]; then
	nop=1f2003d5 foreign=3f2003d5 gates="nop5" other_gates="flip pun" rounds=1 past_entry=12 optimizes=''
else
	nop=0f1f440000 foreign=6666666690 gates="flip nop5" other_gates='' rounds=3 past_entry=5 optimizes=yes
fi
has_gate() {
	case " $gates " in *" $1 "*) ;; *) false ;; esac
}

# host COMMAND...: with the host's root, its programs and the home directory $home, if it is set.
host() {
	chroot /host env HOME="${home:-/root}" PERF_BUILDID_DIR=/run BPFTRACE_PERF_RB_PAGES=1024 \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# texts_in_bpftrace WHAT COMMAND...: check, unless bpftrace reads wrong texts in the kernel's own events, too, as
# version 0.23 does, which takes offsets of bytes for those of words.
texts_in_bpftrace() {
	if host bpftrace -e 'tracepoint:sched:sched_process_exec { printf("%s\n", str(args->filename)); }' \
		-c /bin/true 2>/dev/null | grep -q true; then
		check "$@"
	else
		skip "$1" "this bpftrace reads wrong texts in the kernel's own events, too"
	fi
}

# In a kernel with kmemleak each suite ends with the check that nothing is lost of what was allocated
# since it began. Twice, as what is young, or was freed by RCU meanwhile, is not reported. Where
# it has no memory it switches itself off, and refuses to scan.
kmemleak=/sys/kernel/debug/kmemleak
lost() {
	{ echo scan >$kmemleak && sleep 6 && echo scan >$kmemleak; } 2>/dev/null || echo "kmemleak is off"
	head -n 40 $kmemleak
}
nothing_is_lost() {
	check "kmemleak finds nothing" same "" "$(lost)"
}
if [ -e $kmemleak ]; then
	lost >/dev/null
	echo clear >$kmemleak
	# shellcheck disable=SC2034 # tap_done reads it
	tap_last=nothing_is_lost
fi

# load NAME [PARAMETER...] / unload NAME...  What the module needs is loaded before it, once.
load() {
	name=$1
	shift
	case $name in
	marker_test | marker_hammer) [ -e /sys/module/marker_gates ] || insmod /marker_gates.ko || return ;;
	esac
	insmod "/$name.ko" "$@" && watch_races "$name"
}

# watch_races MODULE: a kernel with KCSAN then says which accesses of its functions race. Not those
# of the kernel among themselves: they are others' matter. Ends the suite if it is not so.
kcsan=/sys/kernel/debug/kcsan
watch_races() {
	[ -e $kcsan ] || return 0
	for function in $(awk -v name="$1" '$2 ~ /^[tT]$/ && $4 == "[" name "]" { print "!" name ":" $3 }' /proc/kallsyms) \
		whitelist on; do
		echo "$function" >$kcsan || exit
	done
	if ! grep -q '^enabled: 1$' $kcsan || ! grep -q "^whitelisted functions:" $kcsan; then
		echo "KCSAN does not watch $1" >&2
		exit 1
	fi
}

unload() {
	for name; do
		rmmod "$name" || return
	done
}

# control COMMANDS: as one write; the kernel's error as its name in $errno.
control() {
	errno=$(printf '%s' "$1" >/tmp/commands; dd if=/tmp/commands of=$M/control bs=1M 2>&1 |
		sed -n 's/^dd: .*: //p')
	case $errno in
	'') errno=0 ;;
	'Invalid argument') errno=EINVAL ;;
	'No such file or directory') errno=ENOENT ;;
	'File exists') errno=EEXIST ;;
	'Resource busy' | 'Device or resource busy') errno=EBUSY ;;
	'Not supported' | 'Operation not supported') errno=EOPNOTSUPP ;;
	'Argument list too long') errno=E2BIG ;;
	'No space left on device') errno=ENOSPC ;;
	'Resource temporarily unavailable' | 'Try again') errno=EAGAIN ;;
	*'timed out') errno=ETIMEDOUT ;;
	esac
}

# connections: as `control` lists them, without the rule of "expose".
connections() {
	sed '/^expose/d' $M/control
}

# connected: what is connected, and the state of each site; without the bytes of a
# kprobe, which the kernel may change between int3 and a jump at any time.
connected() {
	cat $M/control
	awk -F '\t' -v OFS='\t' '$5 == "kprobe" { $7 = $8 = "" } 1' $M/sites
}

# refused ERRNO COMMANDS: it fails so, and nothing has changed.
refused() {
	before=$(connected)
	control "$2"
	same "$1" "$errno" && same "$before" "$(connected)"
}

accepted() {
	control "$1"
	same 0 "$errno"
}

# hits PROBE
hits() {
	awk -F '\t' -v probe="$1" '$1 == probe { print $5 }' $M/probes
}

# rows MARKER TABLE: the rows of a marker in "sites", "markers" or "ctf/events". MARKER without a '/' is the
# marker of that name in any system.
rows() {
	column=2
	[ "$2" != markers ] || column=1
	awk -F '\t' -v marker="$1" -v column=$column \
		'{ name = $column } marker !~ /\// { sub(/^[^\/]*\//, "", name) } name == marker' "$M/$2"
}

# state MARKER [GATE]: of its sites, or of those whose gate is GATE, each once.
state() {
	rows "$1" sites | awk -F '\t' -v gate="^(${2:-.*})$" '$5 ~ gate { print $6 }' | sort -u | xargs
}

# marker_events: the trace events of markers of the test modules, which are called marker_*.
marker_events() {
	for dir in /sys/kernel/tracing/events/marker_*/*/; do
		dir=${dir%/}
		[ ! -d "$dir" ] || echo "${dir##*/}"
	done | xargs
}

stat_of() {
	awk -F '\t' -v name="$1" '$1 == name { print $2 }' $M/stats
}

verified() {
	holds "$(tail -n 1 $M/verify)" "ok: "
}

# logged TEXT: since the last call of log_mark.
log_mark() {
	dmesg -c >/dev/null
}

logged() {
	holds "$(dmesg)" "$1"
}

fire() {
	echo "$1" >$T/fire
}

# site_field MARKER GATE COLUMN: of its first site whose gate is GATE, a whole regular expression.
site_field() {
	rows "$1" sites | awk -F '\t' -v gate="^($2)$" -v column="$3" '$5 ~ gate { print $column; exit }'
}

# address_of SYMBOL+OFFSET/SIZE [MODULE]: of marker_test, in hexadecimal; "": of the kernel.
address_of() {
	place=${1%%/*}
	start=$(awk -v symbol="${place%+*}" -v module="${2-marker_test}" \
		'$3 == symbol && $4 == (module ? "[" module "]" : "") { print $1; exit }' /proc/kallsyms)
	printf '%x\n' $((0x$start + ${place#*+}))
}

# poke ADDRESS [BYTES]: writes as foreign code would, without locks (marker_foreign).
poke() {
	echo "$*" >/sys/kernel/debug/marker_foreign/text
}

# peek ADDRESS: 16 bytes there.
peek() {
	poke "$1"
	cat /sys/kernel/debug/marker_foreign/text
}

# probe_at PLACE: defines a kprobe event, which stays disabled; its status.
probe_at() {
	at_number=$((at_number + 1))
	{ echo "p:at_$at_number marker_test:$1" >>/sys/kernel/tracing/kprobe_events; } 2>/dev/null
}
