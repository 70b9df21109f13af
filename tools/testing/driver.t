#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Documentation/instrument-a-driver.md: a driver of the distribution is built with markers as the
# page says, and its script prints in a guest what the page says; and what the compiler
# says about markers that are wrong.
top=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
# shellcheck source=tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$top/Documentation/instrument-a-driver.md
version=$("$top/tools/vm/kernel-version") || exit 1
build=/lib/modules/$version/build
driver=$("$top/tools/setup" --path v4l2loopback)/usr/src/v4l2loopback-0.12.7
media=$("$top/tools/setup" --path kernel)/lib/modules/$version/kernel/drivers/media
cd "$top" || exit 1

# block LANGUAGE: of the page.
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

cp -r "$driver" "$work/driver"
block diff >"$work/marks.diff"
check "the page's difference applies" git -C "$work/driver" apply -p1 "$work/marks.diff"
check "the driver builds without a warning" make_driver "$work/driver"
check "it needs nothing of markers.ko" same videodev "$(/sbin/modinfo -F depends "$work/driver/v4l2loopback.ko")"
block sh | sed "/END'*$/d" >"$work/try.sh"
awk '/^\tmarker gate state/ { on = 1 } on && !/^\t/ { exit } on { print substr($0, 2) }' "$page" >"$work/expected"
tools/kmark vm --add "$media/mc/mc.ko" --add "$media/v4l2-core/videodev.ko" \
	--add "$work/driver/v4l2loopback.ko" --add markers/markers.ko \
	--add probes/probe_count.ko -- "$work/try.sh" >"$work/out" 2>"$work/err"
check "the guest ends with status 0" same 0 $?
check "it prints what the page says" diff "$work/expected" "$work/out"
[ $tap_failed = 0 ] || sed 's/^/# /' "$work/err"

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
	     "STRUCTURE:an argument of a marker is an integer, a pointer or a string: argument 0" \
	     "FLOAT:an argument of a marker is an integer, a pointer or a string: argument 0"; do
	check "refused: ${wrong%%:*}" sh -c '! "$@"' sh make -C "$build" M="$work/rules" \
		MARKERS="$top/markers" WRONG="-D${wrong%%:*}" modules
	rules "-D${wrong%%:*}"
	check "the first error says: ${wrong#*:}" holds "$(grep -m 1 error: "$work/rules.log")" "${wrong#*:}"
done
tap_done
