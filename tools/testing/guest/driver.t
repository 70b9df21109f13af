#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Documentation/add-a-marker.md, "A driver that exists": a driver of the distribution is built with markers
# as the page says, and its script prints in a guest what the page says; and what the compiler
# says about markers that are wrong.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$work/page
version=$("$top/tools/vm/kernel-version") || exit 1
build=/lib/modules/$version/build
driver=$(echo "$("$top/tools/setup" --path v4l2loopback)"/usr/src/v4l2loopback-*)
media=$("$top/tools/setup" --path kernel)/lib/modules/$version/kernel/drivers/media
cd "$top" || exit 1

awk '/^## / { on = $0 == "## A driver that exists" } on' "$top/Documentation/add-a-marker.md" >"$page"

# block LANGUAGE: of that section.
block() {
	awk -v language="$1" '$0 == "```" { on = 0 } on { print } $0 == "```" language { on = 1 }' "$page"
}

# make_driver FOLDER [VARIABLE=VALUE...]: without a warning.
# shellcheck disable=SC2317 # check calls it
make_driver() {
	folder=$1
	shift
	make -C "$folder" KERNEL_DIR="$build" PWD="$folder" MARKERS="$top/markers" "$@" >"$folder/log" 2>&1 ||
		{ cat "$folder/log"; return 1; }
	! grep -iE '(warning|error):' "$folder/log"
}

# The difference is for the driver of Debian 12.
if [ "${driver##*-}" = 0.12.7 ]; then
	cp -r "$driver" "$work/driver"
	block diff >"$work/marks.diff"
	check "the page's difference applies" git -C "$work/driver" apply -p1 "$work/marks.diff"
	check "the driver builds without a warning" make_driver "$work/driver"
	check "it needs nothing of markers.ko" same videodev "$(/sbin/modinfo -F depends "$work/driver/v4l2loopback.ko")"
	block sh | sed "/END'*$/d" >"$work/try.sh"
	awk '/^\tmarker gate state/ { on = 1 } on && !/^\t/ { exit } on { print substr($0, 2) }' "$page" >"$work/expected"
	tools/kmark dev vm --add "$media/mc/mc.ko" --add "$media/v4l2-core/videodev.ko" \
		--add "$work/driver/v4l2loopback.ko" --add markers/markers.ko \
		--add probes/probe_count.ko -- "$work/try.sh" >"$work/out" 2>"$work/err"
	check "the guest ends with status 0" same 0 $?
	check "it prints what the page says" diff "$work/expected" "$work/out"
	[ $tap_failed = 0 ] || sed 's/^/# /' "$work/err"
else
	skip "the page's difference applies, and the driver runs" "the page is about v4l2loopback 0.12.7, and this is ${driver##*-}"
fi

# Modules of one object, with a flag of their own; others beside them stay as they are.
mkdir "$work/rules"
cat >"$work/rules/Makefile" <<'END'
obj-m := one.o two.o
two-y := part.o
CFLAGS_one.o := -DWITH_FLAG $(WRONG)
include $(MARKERS)/marker.mk
END
cat >"$work/rules/one.c" <<'END'
#include <linux/module.h>
#include "marker.h"
#ifndef WITH_FLAG
#error "CFLAGS_one.o is not used"
#endif
struct pair { int a, b; };
static int __used fire(int value, struct pair pair, const char *text)
{
	MARK(one_without, "");
	KMARK(one_all, "%d %d %d %d %d %d %d %s", value, 1, 2, 3, 4, 5, 6, text);
#if defined(NINE)
	MARK(one_nine, "%d %d %d %d %d %d %d %d %d", value, 1, 2, 3, 4, 5, 6, 7, 8);
#elif defined(STRUCTURE)
	MARK(one_structure, "%d", pair);
#elif defined(FLOAT)
	MARK(one_float, "%d", 1.5);
#endif
	return 0;
}
MODULE_LICENSE("GPL");
END
printf '#include <linux/module.h>\n#include "marker.h"\nMODULE_LICENSE("GPL");\n' >"$work/rules/part.c"
# rules [WRONG]
rules() {
	touch "$work/rules/one.c"
	make -C "$build" M="$work/rules" MARKERS="$top/markers" WRONG="$1" modules >"$work/rules.log" 2>&1
}
check "modules of one object and of parts build side by side" rules
check "a marker without arguments gives no warning" same "" "$(grep -i warning: "$work/rules.log")"
for wrong in "NINE:a marker has at most 8 arguments" \
	     "STRUCTURE:an argument of a marker is an integer of up to 64 bits, a pointer or a string: argument 0" \
	     "FLOAT:an argument of a marker is an integer of up to 64 bits, a pointer or a string: argument 0"; do
	check "refused: ${wrong%%:*}" sh -c '! "$@"' sh make -C "$build" M="$work/rules" \
		MARKERS="$top/markers" WRONG="-D${wrong%%:*}" modules
	rules "-D${wrong%%:*}"
	check "the first error says: ${wrong#*:}" holds "$(grep -m 1 error: "$work/rules.log")" "${wrong#*:}"
done

# Kbuild's rules: a module of one object is compiled with the same command with and without
# marker.mk, but for the folders of headers.
mkdir "$work/plain" "$work/with"
cat >"$work/plain/Kbuild" <<'END'
obj-m := plain.o
CFLAGS_plain.o := -DWITH_FLAG
CFLAGS_REMOVE_plain.o := -pg -mrecord-mcount -mfentry
AFLAGS_plain.o := -DNOT_USED
OBJECT_FILES_NON_STANDARD_plain.o := y
KASAN_SANITIZE_plain.o := n
KCSAN_SANITIZE_plain.o := n
UBSAN_SANITIZE_plain.o := n
GCOV_PROFILE_plain.o := n
END
cat >"$work/plain/plain.c" <<'END'
#include <linux/module.h>
static int __init plain_init(void)
{
	pr_info(KBUILD_BASENAME " " KBUILD_MODNAME " said\n");
	return 0;
}
module_init(plain_init);
MODULE_LICENSE("GPL");
END
cp "$work/plain/plain.c" "$work/with/plain.c"
{
	cat "$work/plain/Kbuild"
	echo 'include $(MARKERS)/marker.mk'
} >"$work/with/Kbuild"
# compiled FOLDER: the command that has made plain.o there, without what is to be different.
compiled() {
	make -C "$build" M="$work/$1" MARKERS="$top/markers" modules >"$work/$1.log" 2>&1 || cat "$work/$1.log"
	sed -n "s/^\(saved\)*cmd_[^ ]*plain\.o := //p" "$work/$1/.plain.o.cmd" |
		sed "s| -I$top/markers[^ ]*||g; s|; if .*||; s|$work/$1|FOLDER|g; s/ *$//"
}
plain=$(compiled plain)
check "the command of a module of one object is there" holds "$plain" "-DWITH_FLAG"
check "a module of one object is compiled as without marker.mk" same "$plain" "$(compiled with)"
check "so it keeps its name for the log" same 1 "$(grep -c 'plain plain said' "$work/with/plain.ko")"
check "and what CFLAGS_REMOVE removes" same "" "$(objdump -dr "$work/with/plain.ko" | grep __fentry__)"

# Wrong formats do not build, and the message has the line of the MARK().
mkdir "$work/wrong"
cat >"$work/wrong/Kbuild" <<'END'
obj-m := wrong.o twice.o apart.o equal.o named.o one.o other.o
apart-y := apart_a.o apart_b.o
one-y := shared.o one_part.o
other-y := shared.o other_part.o
include $(MARKERS)/marker.mk
END
# source NAME STATEMENTS: a module, whose line 4 has the statements.
source_of() {
	printf '#include <linux/module.h>\n#include "marker.h"\nvoid %s(int i, void *p);\nvoid %s(int i, void *p) { %s }\nMODULE_LICENSE("GPL");\n' \
		"$1" "$1" "$2" >"$work/wrong/$1.c"
}
source_of wrong 'MARK(wrong, "%d", p);'
source_of twice 'MARK(twice, "%d", i); MARK_FIELDS(twice, field(s64, i));'
source_of apart_a 'MARK(apart, "%d", i);'
source_of apart_b 'MARK(apart, "\t%d\n", i);'
source_of shared 'MARK(shared, "%d", i);'
source_of one_part ''
source_of other_part ''
source_of named 'MARK(namé, "%d", i);'
source_of equal 'MARK(equal, "i=%d", i); MARK(equal, KERN_INFO "i=%d\n", i); MARK_FIELDS(equal, field(s32, i));'
make -k -C "$build" M="$work/wrong" MARKERS="$top/markers" modules >"$work/wrong.log" 2>&1
check "the build of wrong formats fails" test $? != 0
while IFS='|' read -r what text; do
	check "$what" holds "$(grep error: "$work/wrong.log")" "$text"
done <<END
a format of another type is an error at its line|$work/wrong/wrong.c:4:42: error: format
two formats in one object|$work/wrong/twice.c:4: error: marker twice/twice has the format "%d" here and "i=%lld" at $work/wrong/twice.c:4
two formats in two objects|$work/wrong/apart_b.c:4: error: marker apart/apart has the format
an object of two modules|: its object file is part of several modules: define MARK_SYSTEM
a name that is not ASCII|$work/wrong/named.c:4: error: marker named/nam
END
check "a level and a newline make no other format" same "" "$(grep 'marker equal/' "$work/wrong.log")"
tap_done
