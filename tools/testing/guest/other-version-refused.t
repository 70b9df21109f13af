# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Modules with tables of another version, of other entries, of no version: each is
# refused with what was found and what was expected, and loads all the same.
# $1: the gates that a site with 70,000 has, counted by a program on the host.
. /lib.sh

log_mark
load markers
load probe_count
sizes="$(stat_of site.gate.bytes) and $(stat_of site.call.bytes) bytes"
site=$(stat_of site.bytes)
for name in version entries without; do
	check "marker_$name loads" load marker_$name
	check "its sites are not known" same "" "$(grep "	marker_$name	" $M/sites)"
done
check "another version is refused, with both numbers" logged \
	"marker_version: invalid marker tables: expected version 1, entries of $site, $sizes; found version 77,"
check "other entries are refused, with both sizes" logged "found version 1, entries of 88, $sizes"
check "tables without a version are refused" logged \
	"marker_without: invalid marker tables: expected version 1, found none"
check "the unchanged module is loaded" load marker_hundred
check "the unchanged module has its sites" same 100 "$(grep -c '	marker_hundred	' $M/sites)"
check "the sites of the unchanged module connect" accepted "connect hundred_site count"
for name in version entries without hundred; do
	echo 1 >/sys/module/marker_$name/parameters/fire
done
check "only the sites of the unchanged module are seen" same 100 "$(hits count)"
check "all four modules can be unloaded" unload marker_version marker_entries marker_without marker_hundred
check "verify reports no mismatch" verified
check "a site may have more gates than 16 bits count" same 70000 "$1"
tap_done
