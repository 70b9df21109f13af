#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each set of patches applies to the source of each kernel, alone and with all others; of $K only, if it is set.
# The first time, sources are fetched.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sets VERSION: a line for each set, its name and its patches in their order, and "all".
sets() {
	PYTHONPATH=$top/tools/lib PYTHONDONTWRITEBYTECODE=1 python3 -P - "$1" <<-'END'
		import sys
		from kmark.kernel import patchset
		version = sys.argv[1]
		patchset.write(version)
		names = [one.name for one in patchset.sets() if patchset.has(version, one)]
		for what, chosen in [*((name, [name]) for name in names), ("all", None)]:
		    print(what, *patchset.patches(version, chosen))
	END
}

# applied PATCH...: one after the other, to what the source has of the files that they change.
# shellcheck disable=SC2317 # called through check
applied() {
	git -C "$work/$version" reset --quiet --hard && git -C "$work/$version" clean -qfdx
	for patch; do
		git -C "$work/$version" apply "$patch" || return 1
	done
}

for version in ${K:-$(awk '!/^#/ && $1 ~ /^[0-9.]+$/ { print $1 }' "$top/tools/kernels.tsv")}; do
	archive=$("$top/tools/setup" --path "linux-source-$version") || exit 1
	sets "$version" >"$work/sets" || exit 1
	mkdir "$work/$version"
	xargs -n 1 <"$work/sets" grep -hs '^--- a/' | sed 's,^--- a/,*/,' | sort -u >"$work/files"
	tar -xJf "$archive" -C "$work/$version" --strip-components=1 --wildcards -T "$work/files" 2>/dev/null
	git -C "$work/$version" init --quiet && git -C "$work/$version" add --all
	git -C "$work/$version" -c user.name=kmark -c user.email=kmark@localhost commit --quiet -m source
	while read -r name patches; do
		# shellcheck disable=SC2086 # one after the other
		check "Linux $version: $name" applied $patches
	done <"$work/sets"
done
tap_done
