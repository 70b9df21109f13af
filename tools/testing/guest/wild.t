#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules whose section tables are wrong (spoil.py): they load, their markers are refused
# with what and where, and the kernel lives.
# Modules with section tables that are wrong, each in one way (spoil.py).
# guest: cpus=2

on_host() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	choose_modules
	types=$(echo "$modules" | tr ' ' '\n' | grep '/marker_types\.ko$')
	"$("$top/tools/setup" --path python)/bin/python" "$here/spoil.py" "$types" "$work" || exit 1
	modules="$modules $(echo "$work"/*.ko)"
	boot
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# refuses ERROR TEXT: of a module with that error.
refuses() {
	log_mark
	check "a module with a wild $1 loads" insmod "/wild_$1.ko"
	check "its markers are refused: $2" logged "$2"
	check "there are none" same "" "$(tail -n +2 $M/sites)"
	check "it goes" rmmod marker_types
}

load markers
refuses name "entry 0: expected its name to be a text of at most 183 bytes within the module, found "
refuses long "entry 0: expected its name to be a text of at most 183 bytes within the module, found "
refuses format "entry 1: expected its format to be a text of at most 1023 bytes within the module, found "
refuses file "entry 1: expected its file to be a text of at most 4095 bytes within the module, found "
refuses gate "expected its gate to be within the module, found "
refuses cold "expected its cold block to be within the module, found "
refuses site "expected an entry of 40 bytes in "
refuses twice "expected code of its own for each gate and call, found "
refuses call "expected its call to be within the module, found "
refuses owner "expected an entry of 40 bytes in "
refuses bounds "sites: expected entries of 40 bytes, aligned to 8, within the module, found "
refuses part "gates: expected entries of 12 bytes, aligned to 4, within the module, found "
refuses readonly "sites: expected data that can be written, found it read-only at "
refuses version "expected version 1, "

# Markers that were there before markers.ko.
for error in name gate readonly; do
	unload markers
	log_mark
	check "a module with a wild $error loads without markers.ko" insmod /wild_$error.ko
	check "markers.ko loads behind it" load markers
	if [ $error = gate ]; then
		check "a gate in what may have been init text is gone" grep -q "	gone	" $M/sites
	else
		check "and refuses what is wrong" logged "invalid marker tables: "
	fi
	check "the module goes" rmmod marker_types
done
check "a good module loads" load marker_types
check "it has its markers" test "$(tail -n +2 $M/sites | wc -l)" -ge 2
tap_done
