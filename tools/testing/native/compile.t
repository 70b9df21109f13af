#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Code that MARK() must and must not accept, as the compiler and the assembler say.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
cc=/usr/bin/gcc warnings="-Wall -Werror"
compiler() {
	$cc -D_GNU_SOURCE -I"$top/markers/env/user" -I"$top/markers" -I"$top/markers/arch/x86" \
		-I"$top/bench/gates" -I"$top/bench/gates/x86" "$@"
}
trap 'rm -rf "$work"' EXIT

flags=
# compile BODY: of a function with some variables, with $flags; $message has the complaints.
compile() {
	cat >"$work/test.c" <<END
#include "env.h"
#include "bench_gates.h"
#include "marker_variants.h"
struct s { int a; };
enum small { NO, YES };
struct bits {
	bool on : 1; unsigned int mode : 3, most : 31, all : 32; int level : 4; enum small answer : 2;
	unsigned char narrow : 7; u64 wide : 40, widest : 63, full : 64; s64 balance : 33;
};
enum state { IDLE, BUSY = 7, GONE = -1 };
#define MACRO 0x10000
#define LENGTH 6
#define PAIR(x) 2, x
#define ALL "%d %p", 1, p
#define LEVEL "\0017"
#define current get_current(x, 1)
void f(int i, long l, char *text, struct s *p, struct s value, double d, struct bits *bits)
{
	$1
}
END
	# shellcheck disable=SC2086
	message=$(compiler -c -O2 -std=gnu11 $warnings -fno-pie -mno-red-zone ${flags:+"$flags"} -o "$work/test.o" "$work/test.c" 2>&1)
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

differs() {
	[ "$1" != "$2" ]
}

check "no argument" good 'MARK(m, "text");'
check "integers, strings, pointers" good 'MARK(m, "%d %ld %s %p", i, l, text, p);'
check "eight arguments" good 'MARK(m, "%d %d %d %d %d %d %d %d", i, i, i, i, i, i, i, i);'
check "two markers in one function, one of them in a loop" good 'MARK(m, "a"); while (i--) MARK(m, "%d", i);'
check "a marker as the branch of an if" good 'if (i) MARK(m, "%d", i); else MARK(m, "%d", 0);'
check "a side effect only when open" good 'MARK(m, "%d", i++);'
# As on x86, and as Linux 6.2 and later have it everywhere.
for type in signed:S8 unsigned:U8; do
	flags=-f${type%:*}-char
	check "char is ${type%:*} where it is so for the compiler" \
		good "_Static_assert(MARKER_TYPE(*text) == MARKER_TYPE_${type#*:}, \"\");"
done
flags=
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

# The fields of MARK_FIELDS().
check "a field of each type" good 'u8 b = i; MARK_FIELDS(m, field(u8, b), field(s32, i), field(s64, l), field(str, text),
	field(ptr, p), bytes(mac, LENGTH, text), symbolic(state, i, IDLE, BUSY, GONE, MACRO), field(bool, on, i == 3));'
check "the format that is made of them" same \
	"b=%hhu i=%d l=%lld text=%s p=%p mac=%6y state=%{ IDLE=00000000 BUSY=00000007 GONE=ffffffff MACRO=00010000 } on=%hhu" \
	"$(strings -n 12 "$work/test.o" | sort -u | sed -n 's/^ *\(b=%hhu.*\)/\1/p')"
check "fields in two branches" good 'if (i) MARK_FIELDS(m, field(s32, i)); else MARK_FIELDS(m, field(s64, l));'
check "a field that is wider than its argument" good 'MARK_FIELDS(m, field(s64, wide, i), field(ptr, address, text));'
check "names and fields that are macros" good '
#define str(x) #x
#define bytes 1
	MARK_FIELDS(m, field(str, text), field(s32, bytes, i));'
# code BODY: the bytes of the function, of all sections of code, with their relocations.
code() {
	compile "$1" || { echo "$message"; return 1; }
	objdump -dr --no-show-raw-insn "$work/test.o" | sed 1,3d
	objdump -s -j .text -j .text.unlikely "$work/test.o" | sed 1,3d
}
check "fields have the code of MARK(), hot and cold" same "$(code 'MARK(m, "%d %p %s", i, p, text);')" \
	"$(code 'MARK_FIELDS(m, field(s32, i), field(ptr, p), field(str, text));')"
check "so have bytes and names of values" same "$(code 'MARK(m, "%p %d", p, i);')" \
	"$(code 'MARK_FIELDS(m, bytes(p, 4), symbolic(i, i, IDLE, BUSY));')"
check "that of other arguments is not the same" differs "$(code 'MARK(m, "%d %p", i, p);')" \
	"$(code 'MARK_FIELDS(m, field(ptr, p), field(s32, i));')"
long=a_name_that_has_thirty_two_letter
symbols=$(seq -s ', ' -f 'v%g' 17)
for rule in \
	"field(u16, i)|field(u16, i): not all values" \
	"field(u64, l)|field(u64, l): not all values" \
	"field(u32, i)|field(u32, i): not all values" \
	"field(s32, l)|field(s32, l): not all values" \
	"field(str, p)|field(str, p): not all values" \
	"field(str, i)|field(str, i): not all values" \
	"field(ptr, i)|field(ptr, i): not all values" \
	"field(u64, p)|field(u64, p): not all values" \
	"field(bool, p)|field(bool, p): not all values" \
	"field(float, d)|MARKER_FIELD_float" \
	"array(i)|MARKER_ASSERT_array" \
	"i|MARKER_ASSERT_i" \
	"|MARK_FIELDS() has 1 to 8 fields" \
	"field(s32, i), field(s32, i)|duplicate member" \
	"field(s32, a-b, i)|expected" \
	"field(s32, line, i)|field line: no field is called line" \
	"field(s32, arg2, i)|field arg2: no field is called line" \
	"field(s32, common_pid, i)|field common_pid: no field is called line" \
	"field(s32, $long, i)|field $long: its name has more than 31 characters" \
	"bytes(mac, 6, i)|bytes(mac, 6): the argument is no pointer" \
	"bytes(text, 0)|bytes(text, 0): the number is not 1 to 64" \
	"bytes(text, 65)|bytes(text, 65): the number is not 1 to 64" \
	"bytes(text, 0x6)|bytes(text, 0x6): the number is not 1 to 64" \
	"bytes(text, 6u)|bytes(text, 6u): the number is not 1 to 64" \
	"symbolic(state, l, IDLE)|symbolic(state, ...): the argument is no integer of up to 32 bits" \
	"symbolic(state, p, IDLE)|symbolic(state, ...): the argument is no integer of up to 32 bits" \
	"symbolic(state, i)|symbolic(state, ...): it has 1 to 16 names" \
	"symbolic(state, i, $symbols)|symbolic(state, ...): it has 1 to 16 names" \
	"symbolic(state, i, IDLE, BIG)|symbolic(): BIG is no value of 32 bits" \
	"symbolic(state, i, IDLE, i)|constant"
do
	check "MARK_FIELDS(m, ${rule%%|*})" bad "enum { BIG = 1l << 40 }; MARK_FIELDS(m, ${rule%%|*});" "${rule#*|}"
done
nine=$(seq -s ', ' -f 'field(s32, i%g, i)' 9)
check "nine fields" bad "MARK_FIELDS(m, $nine);" "MARK_FIELDS() has 1 to 8 fields"
letters=$(seq -s ' ' -f 'enum { an_enumerator_with_a_name_of_forty_one_lette_%g };' 16)
names=$(seq -s ', ' -f 'an_enumerator_with_a_name_of_forty_one_lette_%g' 16)
check "names that are longer than a format" bad \
	"$letters MARK_FIELDS(m, symbolic(a, i, $names), symbolic(b, i, $names));" "have too many characters"
check "MARK() has no bytes" bad 'MARK(m, "%6y", text);' "unknown conversion type"
check "MARK() has no names of values" bad 'MARK(m, "%{ IDLE=00000000 }", i);' "unknown conversion type"

# is TYPE ARGUMENT...: that is how each is recorded.
is() {
	type=MARKER_TYPE_$1
	shift
	body=
	for argument; do
		body="$body _Static_assert(MARKER_TYPE($argument) == $type, \"$argument\");"
	done
	good "$body"
}

# named NAME: the object has a marker of that name, and none of another.
named() {
	objcopy -O binary -j .discard.marker_formats "$work/test.o" "$work/text" &&
		same "$1" "$(tr '\3\0' '\n' <"$work/text" | sed -n '1~3p' | sort -u | xargs)"
}

# Bit-fields: printk() takes them, but gcc and clang give them different types.
for cc in /usr/bin/gcc clang-19; do
	for type in U8:on "U32:mode most all answer" S32:level "U64:wide widest full" S64:balance; do
		# shellcheck disable=SC2046,SC2086
		check "$cc: bit-fields that are ${type%%:*}: ${type#*:}" is "${type%%:*}" $(printf 'bits->%s ' ${type#*:})
	done
	check "$cc: so it is in formats" good \
		'MARK(m, "%d %u %u %u %d %d %hhu", bits->on, bits->mode, bits->most, bits->all, bits->level, bits->answer, bits->narrow);'
	check "$cc: and without code" good 'MARK_KPROBE(m, "%d %u %d", bits->on, bits->mode, bits->level);'
	check "$cc: and in fields" good \
		'MARK_FIELDS(m, field(bool, on, bits->on), field(bool, up, bits->mode), field(u32, mode, bits->mode), field(s32, level, bits->level),
			field(u64, wide, bits->wide), field(s64, balance, bits->balance), symbolic(answer, bits->answer, NO, YES));'
	check "$cc: constants that a field holds" good \
		"MARK_FIELDS(m, field(u8, a, 255), field(s8, b, -128), field(u64, c, 1), field(u64, d, ~0ull), field(s64, e, -1),
			field(u16, f, 'a'), field(u8, g, sizeof(int)), field(s16, h, BUSY));"
	for rule in "u8, a, 256" "u8, a, -1" "u64, a, -1" "s64, a, ~0ull" "s8, a, 128" "s8, a, -129" "u32, a, 1l << 32"; do
		check "$cc: a constant that it does not hold: $rule" bad "MARK_FIELDS(m, field($rule));" \
			"field(${rule%,*}): the constant is no value of this type"
	done
	for rule in "u32, a, bits->level" "s32, a, bits->all" "u8, a, bits->wide" "s64, a, bits->full"; do
		check "$cc: a bit-field that it does not hold: $rule" bad "MARK_FIELDS(m, field($rule));" \
			"field(${rule%,*}): not all values that the type of the argument has"
	done
	check "$cc: 128 bits" bad 'MARK(m, "%d", (__int128)i);' "an integer of up to 64 bits"
	check "$cc: a macro that is several arguments" good 'MARK(m, "%*phN %d", PAIR(p), i);'
	check "$cc: a macro that is format and arguments" good 'MARK(m, ALL); MARK_GENERIC(m, ALL); MARK_KPROBE(m, ALL);'
	for mark in MARK MARK_GENERIC MARK_KPROBE MARK_KEY MARK_PUN KMARK; do
		check "$cc: $mark does not expand its name" good "$mark(unix, \"%d\", i); $mark(MACRO, \"\"); $mark(current, \"\");"
		check "$cc: and has it" named "MACRO current unix"
	done
	check "$cc: MARK_FIELDS does not expand its name" good 'MARK_FIELDS(unix, field(s32, linux, i), field(s32, current, i));'
	check "$cc: and has it" named unix
	check "$cc: a digit is no name" bad 'MARK(1, "%d", i);' "does not begin with a digit"
	check "$cc: a level is no part of the format" good 'MARK(m, LEVEL "a=%d", i);
		_Static_assert(!__builtin_strcmp(MARKER_FORMAT(LEVEL "a=%d"), "a=%d"), "");'
	# As of modules: no warning is asked for, and none is an error.
	warnings=
	for wrong in '"%d", p' '"%d", l' '"%d", i, i' '"%d"' '"%y", i'; do
		check "$cc: a wrong format is an error without any option: $wrong" bad "MARK(m, $wrong);" "error: "
	done
	bad 'i++;
	MARK(m,
	     "%d", p);' "error: format" >/dev/null
	check "$cc: its line is the user's" same "$(grep -n '"%d", p);$' "$work/test.c" | cut -d : -f 1)" \
		"$(printf '%s\n' "$message" | sed -n 's/.*test\.c:\([0-9]*\):[0-9]*: error: format.*/\1/p')"
	warnings="-Wall -Werror"
done
cc=/usr/bin/gcc

far='if (i) { MARK_%s(m, "%%d", i); asm volatile(".skip 200"); }'
for kind in $(measured near); do
	# shellcheck disable=SC2059
	check "MARK_$kind out of reach of its cold block" bad "$(printf "$far" "$kind")" "value of"
done
for kind in FLIP JCC NOP5; do
	# shellcheck disable=SC2059
	check "MARK_$kind reaches a cold block that is far away" good "$(printf "$far" "$kind")"
done

# A copy of marker_stub.h beside a driver, and of no other header.
mkdir "$work/driver"
cp "$top/markers/marker_stub.h" "$work/driver"
# stubbed BODY [OPTION...]: compile a driver with that copy; $message has the complaints.
stubbed() {
	printf '#ifndef MARKERS_ENV_H\ntypedef unsigned int u32;\n#define __printf(a, b) __attribute__((format(printf, a, b)))\n#endif\n#include "marker_stub.h"\nstruct s { u32 on : 1; };\nint next(void);\n%s\n' \
		"void f(int i, const char *text, void *p, struct s *s) { $1 }" >"$work/driver/driver.c"
	shift
	message=$("$cc" -c -O2 -Wall -Werror -std=gnu11 "$@" -o "$work/driver/driver.o" "$work/driver/driver.c" 2>&1)
}
every='MARK(m, "%d %s %p", next(), text, p); MARK(none, ""); MARK_GENERIC(m, "%d", s->on); KMARK(m, "%d", i);
	int left = next(); MARK_FIELDS(g, field(u32, left), field(u32, on, s->on), bytes(p, 6), bytes(q, 6, text),
		symbolic(state, i, A, B)); MARK_FIELDS(nothing);'
for cc in /usr/bin/gcc /usr/bin/clang-19; do
	check "$cc: a driver with marker_stub.h builds without the framework" stubbed "$every"
	check "$cc: its markers make no code" same "$(stubbed 'int left = next(); (void)left;' &&
		objdump -d --no-show-raw-insn "$work/driver/driver.o" | sed 1,5d)" \
		"$(stubbed "$every" && objdump -d --no-show-raw-insn "$work/driver/driver.o" | sed 1,5d)"
	for wrong in 'MARK(m, "%d", p);' 'MARK(m, "%d");' 'MARK(m, "%s", i);' 'MARK(m, "%d", i, i);' \
		'MARK_FIELDS(m, field(u32, nowhere));' 'MARK_FIELDS(m, word(u32, i));'; do
		stubbed "$wrong"
		check "$cc: the stub refuses $wrong" holds "$message" "error: "
	done
done
cc=/usr/bin/gcc
with_headers() {
	stubbed 'MARK(m, "%d %s %p", i, text, p);' -include env.h -I"$top/markers/env/user" -I"$top/markers" -I"$top/markers/arch/x86" \
		-D_GNU_SOURCE -fno-pie -mno-red-zone || { echo "$message"; return 1; }
	holds "$(objdump -h "$work/driver/driver.o")" .discard_markers
}
check "with the headers of the framework the same file has a marker" with_headers
tap_done
