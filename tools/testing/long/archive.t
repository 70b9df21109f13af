#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark fleet pack makes the same bytes of the same sources, in whatever folder and whenever it runs.
top=$(dirname "$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top" || exit 1
mkdir -p "$work/one" "$work/in/another"
git ls-files -co --exclude-standard | while read -r file; do
	[ ! -e "$file" ] || cp --parents "$file" "$work/one"
done
cp -r "$work/one/." "$work/in/another"
check "pack" "$work/one/tools/kmark" fleet pack -o "$work/one.tar.xz"
check "pack the copy, with another umask and time zone" \
	sh -c 'umask 027; TZ=Asia/Tokyo exec "$1/tools/kmark" fleet pack -o "$2"' pack "$work/in/another" "$work/another.tar.xz"
check "both archives are the same bytes" cmp "$work/one.tar.xz" "$work/another.tar.xz"
tap_done
