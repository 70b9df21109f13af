# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # what setup assigns
# For setup: which version of a kernel's package the tests were last seen with, and its hash, in
# packages.lock.  A line of it is a package, its architecture and version, the SHA-256 of its file,
# the day on which the mirror had that, and the release of Debian (suite) where it was looked for. A newer
# kernel of a series is another package, so what follows the first two parts of its version is a "*" there.

locked=packages.lock

# locked_name PACKAGE: as it is in the list.
locked_name() {
	sed -E 's/-([0-9]+\.[0-9]+)\.[0-9]+[^-]*(-[0-9]+)?(-|$)/-\1.*\3/' <<<"$1"
}

# judge_package PACKAGE ARCHITECTURE VERSION HASH: those that were found; HASH may be "-", not known.
# With KMARK_LOCKED only what is in the list is taken.
judge_package() {
	local package=$1 architecture=$2 version=$3 hash=$4 name wanted known day
	name=$(locked_name "$package")
	read -r wanted known day < <(awk -v name="$name" -v architecture="$architecture" -v version="$version" \
		-v suite="$suite" '
		$1 != name || $2 != architecture { next }
		$3 == version || !wanted || ($6 == suite && !same) { wanted = $3 " " $4 " " $5; same = $3 == version }
		END { print wanted }' "$locked") || true
	if [ "$version" = "${wanted:-}" ]; then
		[ "$hash" = - ] || [ "$hash" = "$known" ] ||
			die "$package $version has the hash $hash; tools/$locked expects $known: not used"
		return 0
	fi
	[ "${wanted:-}" ] || [ "${KMARK_LOCKED:-}" ] || return 0
	say "$package is $version here; tools/$locked has ${wanted:-none}${day:+, of $day}"
	[ ! "${KMARK_LOCKED:-}" ] || die "KMARK_LOCKED is set, so it is not used"
}

# judge_archives FILE...: packages that were fetched.
judge_archives() {
	local file fields hash
	for file; do
		mapfile -t fields < <(dpkg-deb -f "$file" Package Architecture Version | sed 's/^[A-Za-z]*: //')
		read -r hash _ < <(sha256sum "$file")
		judge_package "${fields[0]}" "${fields[1]}" "${fields[2]}" "$hash"
	done
}

# judge_installed PACKAGE: one of the system, whose file is not there any more; once.
installed_judged=
judge_installed() {
	local fields
	[ "$installed_judged" != "$1" ] || return 0
	installed_judged=$1
	read -r -a fields < <(dpkg-query -W -f '${Package} ${Architecture} ${Version} -\n' "$1") || return 0
	judge_package "${fields[@]}"
}

# rows OPTION... PACKAGE...: lines for the list, of what apt-cache with these options knows.
rows() {
	apt-cache "${@:1:$#-1}" show --no-all-versions "${!#}" | awk -v day="$(date -u +%F)" -v suite="$suite" '
		/^(Package|Architecture|Version|SHA256): / { found[$1] = $2 }
		/^SHA256: / { print found["Package:"], found["Architecture:"], found["Version:"], $2, day, suite }' |
		while read -r package rest; do
			echo "$(locked_name "$package") $rest"
		done
}

# kernel_rows IMAGE OPTION...: lines for the image that the package IMAGE leads to, for its headers
# and what these need.
kernel_rows() {
	local image=$1 release package
	shift
	release=$(apt-cache "$@" depends "$image" | sed -n 's/^ *Depends: linux-image-//p' | head -n 1)
	for package in "linux-image-$release" "linux-headers-$release" $(apt-cache "$@" depends \
		"linux-headers-$release" | sed -n 's/^ *Depends: \(linux-\(headers\|kbuild\)-.*\)/\1/p'); do
		rows "$@" "$package"
	done
}

# The list on stdout, with the rows of this release anew, from the lists of packages that apt has checked
# the signatures of.
lock_packages() {
	local opts=() package
	apt_update
	work=$(mktemp -d "$cache/fetch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	sed '/^#/!d' "$locked"
	{
		kernel_rows linux-image-amd64 -q
		kernel_rows linux-image-rt-amd64 -q
		rows -q busybox-static
		rows -q v4l2loopback-dkms
		rows -q lttng-modules-dkms
		awk -v suite="$suite" '!/^#/ && $6 != suite' "$locked"
		other_suites "$work/others" "$others"
		kernel_rows linux-image-amd64 "${opts[@]}"
		kernel_rows linux-image-rt-amd64 "${opts[@]}"
		other_suites "$work/sources" "${source_suites[@]}"
		for package in $(kernel_versions | sed s/^/linux-source-/); do
			if apt_knows "$package"; then
				rows -q "$package"
			else
				rows "${opts[@]}" "$package"
			fi
		done
		arm64_lists "$work/arm64"
		for package in "linux-image-$(arm64_version)" "linux-headers-$(arm64_version)" busybox-static; do
			rows "${opts[@]}" "$package:arm64"
		done
	} | sort -u
	rm -rf "$work"
	trap - EXIT
}
