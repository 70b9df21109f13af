#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debug sites that markers.ko can record, found without loading a module. The test counts the debug sites of
# all modules of the distribution's kernel, and tries single formats.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
program=$top/build/native/debug_sites
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -C "$top" build/native/debug_sites >&2 || exit 1

# becomes FORMAT|WORDS PREFIX SOURCE: the format of the marker, and how each of its words is read.
becomes() {
	same "$1" "$("$program" --format "$2" "$3" | sed 's/|[0-9a-f]*|/|/')"
}
# typed TYPES SOURCE: of its words, the last one first; see enum marker_type.
typed() {
	same "$1" "$("$program" --format 0 "$2" | sed 's/.*|\([0-9a-f]*\)|.*/\1/')"
}

check "a format without arguments stays" becomes 'plain\n|' 0 'plain\n'
check "arguments that a marker records stay" becomes 'port %d status %04x|word word' 0 'port %d status %04x'
check "dev_dbg() has two texts in front" becomes '%s %s: maxpacket = %u|word' 2 'maxpacket = %u'
check "netdev_dbg() has one" becomes '%s: %s up|word' 1 '%s up'
check "the types are those that the conversions name" typed 0a787412 '%c %hhd %hu %ld %llu %zd %p'
check "a width is an argument" becomes '%.*s|%d|word word word' 0 '%.*s|%d'
check "a percent sign is none" becomes '100%% of %s|word' 0 '100%% of %s'
check "a pointer that leads on becomes text" becomes '%d %s %d|word text word' 0 '%d %pOFn %d'
check "eight arguments have room" becomes '%d %d %d %d %d %d %d %d|word word word word word word word word' 0 \
	'%d %d %d %d %d %d %d %d'
check "of nine, two become one text" becomes '%d %d %d %d %d %d %d%s|word word word word word word word rest' 0 \
	'%d %d %d %d %d %d %d %d %d'
check "the texts in front count" becomes '%s %s: %d %d %d %d %d%s|word word word word word rest' 2 '%d %d %d %d %d %d %d'
check "what is no conversion is left to printf()" becomes '%s|printf' 0 'a %f b %d'
check "nor is a percent sign at the end" becomes '%s|printf' 0 'bad %'

check "a file that is no module is refused" same "1 $0: this is no module for x86-64; a compressed one has to be unpacked first" \
	"$(echo "$0" | "$program" 2>&1 >/dev/null | sed 's/^/1 /')"
head -c 4000 "$top/markers/markers.ko" >"$work/cut.ko"
check "so is one that is cut" holds "$(echo "$work/cut.ko" | "$program" 2>&1)" "its table of sections is damaged"

kernel=$("$top/tools/setup" --path kernel)
# Debian 13 compresses modules.
if [ "$(find "$kernel" -name '*.ko.xz' | head -n 1)" ]; then
	cp -r "$kernel/lib/modules" "$work/unpacked"
	find "$work/unpacked" -name '*.ko.xz' -print0 | xargs -0 -n 50 -P "$(nproc)" xz -d
	kernel=$work/unpacked
fi
find "$kernel" -name '*.ko' >"$work/modules"
"$program" <"$work/modules" >"$work/counts" 2>"$work/errors"
status=$?
check "all modules of the kernel are read" same "0 " "$status $(cat "$work/errors")"
sed 's/^/# /' "$work/counts"
# share TEXT: in percent, of the rows with that.
share() {
	awk -v text="$1" 'index($0, text) { n += $1 } NR == 1 { all = $1 } END { print int(100 * n / all) }' "$work/counts"
}
check "they have thousands of debug sites" test "$(sed 's/ .*//;q' "$work/counts")" -gt 10000
check "95 % or more can be recorded" test "$(share argument)" -ge 95
# Linux 6.1 has 92 %, and 6.12 has 89 %.
case $("$top/tools/vm/kernel-version") in 6.1.*) least=90 ;; *) least=85 ;; esac
check "$least % or more in fields alone" test "$(share 'every argument')" -ge $least
tap_done
