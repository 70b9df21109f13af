#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What MARK() must and must not accept, as the compiler and the assembler say.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
top=$(readlink -f "$here/../..")
work=$(mktemp -d)
compiler() {
	/usr/bin/gcc -D_GNU_SOURCE -I"$top/markers/env/user" -I"$top/markers" -I"$top/markers/arch/x86" \
		-I"$top/bench/gates" -I"$top/bench/gates/x86" "$@"
}
trap 'rm -rf "$work"' EXIT

# compile BODY: of a function with some variables; $message has the complaints.
compile() {
	cat >"$work/test.c" <<END
#include "env.h"
#include "bench_gates.h"
#include "marker_variants.h"
struct s { int a; };
void f(int i, long l, char *text, struct s *p, struct s value, double d)
{
	$1
}
END
	message=$(compiler -c -O2 -std=gnu11 -Wall -Werror -fno-pie -mno-red-zone -o "$work/test.o" "$work/test.c" 2>&1)
}

# listed LIST: the kinds in a list of the headers, as the preprocessor has them.
listed() {
	printf '#include "bench_gates.h"\n#include "marker_variants.h"\n#define KIND(name, kind) is_kind:kind\n%s(KIND)\n' "$1" |
		compiler -E -P - | grep -o 'is_kind:[A-Z0-9]*' | sed 's/.*://'
}

# measured REACH: the kinds in bench/gates/gates.tsv whose cold block is so far away.
measured() {
	awk -F '\t' -v reach="$1" '!/^#/ && $2 == reach { print toupper($1) }' "$top/bench/gates/gates.tsv"
}

sorted() {
	echo "$1" | tr ' ' '\n' | sort | xargs
}

good() {
	compile "$1" || { echo "$message"; return 1; }
}

# bad BODY PART: it does not compile, and the message has PART in it.
bad() {
	if compile "$1"; then
		echo "compiles: $1"
		return 1
	fi
	holds "$message" "$2"
}

check "no argument" good 'MARK(m, "text");'
check "integers, strings, pointers" good 'MARK(m, "%d %ld %s %p", i, l, text, p);'
check "eight arguments" good 'MARK(m, "%d %d %d %d %d %d %d %d", i, i, i, i, i, i, i, i);'
check "two markers in one function, one of them in a loop" good 'MARK(m, "a"); while (i--) MARK(m, "%d", i);'
check "a marker as the branch of an if" good 'if (i) MARK(m, "%d", i); else MARK(m, "%d", 0);'
check "a side effect only when open" good 'MARK(m, "%d", i++);'
offered=$(listed MARKER_VARIANTS)
check "six kinds of gates are offered" same 6 "$(echo "$offered" | wc -l)"
for reach in near:NEAR far:FAR; do
	list=MARKER_BENCH_GATES_${reach#*:}
	check "gates.tsv has those of $list" same "$(sorted "$(listed "$list")")" "$(sorted "$(measured "${reach%:*}")")"
done
check "gates.tsv has seven kinds, with call" same "7 CALL" \
	"$(grep -cvE '^(#|gate)' "$top/bench/gates/gates.tsv") $(measured call)"
for kind in $offered $(listed MARKER_BENCH_GATES) CALL KPROBE; do
	check "MARK_$kind" good "MARK_$kind(m, \"%d %p\", i, p);"
done

check "an argument of another type" bad 'MARK(m, "%d", p);' "expects argument of type"
check "a long for an int" bad 'MARK(m, "%d", l);' "expects argument of type"
check "an argument too few" bad 'MARK(m, "%d %d", i);' "expects a matching"
check "an argument too many" bad 'MARK(m, "%d", i, i);' "too many arguments for format"
check "a format that is no literal" bad 'MARK(m, text);' "error:"
check "nine arguments" bad 'MARK(m, "%d%d%d%d%d%d%d%d%d", i, i, i, i, i, i, i, i, i);' "error:"
check "floating point" bad 'MARK(m, "%f", d);' "error:"
check "a structure" bad 'MARK(m, "%d", value);' "error:"
check "a structure for a site without code" bad 'MARK_KPROBE(m, "%d", value);' "error:"
check "a site without code of eight arguments, constants and strings among them" good \
	'MARK_KPROBE(m, "%d %ld %s %p %d %s %c %d", i, l, text, p, p->a, "text", *text, -1);'
check "a name that is not an identifier" bad 'MARK(a-b, "%d", i);' "error:"
check "a name that is a macro" bad 'MARK(THIS_MODULE, "%d", i);' "error:"

far='if (i) { MARK_%s(m, "%%d", i); asm volatile(".skip 200"); }'
for kind in $(measured near); do
	# shellcheck disable=SC2059
	check "MARK_$kind out of reach of its cold block" bad "$(printf "$far" "$kind")" "value of"
done
for kind in FLIP JCC NOP5; do
	# shellcheck disable=SC2059
	check "MARK_$kind reaches a cold block that is far away" good "$(printf "$far" "$kind")"
done
tap_done
