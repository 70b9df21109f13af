#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A shape is one file and one line of bench/loops/shapes.list, a peer of the kernel one
# line of bench/peers/peers.list: whatever builds, checks or reports them reads the lists.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -C "$top" native >&2 || exit 1

# The tree with the native objects, so that only what the new shape touches is compiled.
copy() {
	(cd "$top" && { git ls-files --cached --others --exclude-standard; find build/native -type f; } |
		tar -c -f - -T -) | tar -x -f - -C "$work"
}
check "the tree is copied" copy
cd "$work" || exit 1

cat >bench/loops/cases_divide.c <<'C'
// SPDX-License-Identifier: GPL-2.0-only
/* Two sites, each with a NOP of one byte behind it. */
#define BENCH_SHAPE		divide
#define BENCH_SITES		2
#define BENCH_LOOPS_DISABLED	1000
#define BENCH_LOOPS_ENABLED	1000
#define BENCH_BODY(SITE)						\
do {									\
	SITE;								\
	asm volatile("nop");						\
	SITE;								\
	asm volatile("nop");						\
} while (0)

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS_ALL);
C
printf 'divide\t-\t\\x90\tExecute a loop of two sites and NOPs\n' >>bench/loops/shapes.list

check "the program builds with a new shape" make -s build/native/bench
check "the program has its cases" \
	same "divide nop5 2" "$(build/native/bench --list | awk '$1 == "divide" && $2 == "nop5" { print $1, $2, $NF; exit }')"
runs() {
	build/native/bench --rounds 1 --shape divide >raw && awk '$1 == "case" { n++ } END { exit !n }' raw
}
check "its loops run" runs
tools/testing/native/disassembly.t >found 2>&1
check "the disassembly is checked" grep -q '^ok .* native: divide nop5$' found
check "the disassembly is as the list says" same "" "$(grep '^not ok .* native: divide ' found)"
check "reports have its title" same "Execute a loop of two sites and NOPs" \
	"$(PYTHONPATH=tools/lib python3 -P -c 'from kmark.analysis.shapes import title; print(title("divide"))')"
make -s -f - linked >names 2>&1 <<'M'
bench := bench
include bench/lists.mk
CONFIG_HERE := y
linked: ; @echo $(bench-shapes:%=cases_%.o) $(foreach peer,$(bench-peers),$(call bench-peer,$(peer)))
M
check "the module is linked with it" holds "$(cat names)" cases_divide.o

printf 'nearby\tnearby\tnearby\tCONFIG_THERE|CONFIG_HERE\tslow,event\tcall\n' >>bench/peers/peers.list
printf 'elsewhere\telsewhere\telsewhere\tCONFIG_ELSEWHERE\tboth\tcall\n' >>bench/peers/peers.list
make -s -f - linked >names 2>&1 <<'M'
bench := bench
include bench/lists.mk
CONFIG_HERE := y
linked: ; @echo $(foreach peer,$(bench-peers),$(call bench-peer,$(peer)))
M
check "a new peer is linked where the kernel has one of its options" same nearby.o "$(cat names)"
awk -v what=peers -f bench/lists.awk bench/peers/peers.list >peers_list.h
mkdir include
sed -n 's|^#include "\(.*\)"|include/\1|p' peers_list.h | xargs touch
lists='both: BENCH_LISTED_BOTH(X) slow: BENCH_LISTED_SLOW(X) event: BENCH_LISTED_EVENT(X) all: BENCH_LISTED(X)'
check "a new peer is in the lists that it names" \
	same "both: slow: X(nearby, NEARBY) event: X(nearby, NEARBY) all: X(nearby, NEARBY)" \
	"$(echo "$lists" | gcc -E -P -DCONFIG_HERE -Iinclude -include peers_list.h -x c - | tr -s ' \n' ' ' | sed 's/ $//')"
tap_done
