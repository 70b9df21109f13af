#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Versions and hashes of the packages that tools/setup fetches, against tools/packages.lock. An
# apt-get of this test has packages that it makes.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
tools=$(dirname "$(dirname "$here")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# deb PACKAGE VERSION ARCHITECTURE
deb() {
	mkdir -p "$work/root/DEBIAN" "$work/debs"
	printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: a <a@b>\nDescription: x\n' "$@" \
		>"$work/root/DEBIAN/control"
	dpkg-deb -b "$work/root" "$work/debs/$1.deb" >/dev/null
}

# locked LINE...: what the list has.
locked() {
	printf '%s\n' "$@" >"$work/tools/packages.lock"
}

hash_of() {
	sha256sum "$work/debs/$1.deb" | cut -d ' ' -f 1
}

# setup NAME: `setup --path NAME` with nothing in its cache; leaves $status and $said.
setup() {
	rm -rf "$work/cache"
	said=$(KMARK_CACHE="$work/cache" PATH="$work/bin:$PATH" KVER=6.1.0-77-amd64 \
		"$work/tools/setup" --path "$1" 2>&1)
	status=$?
}

fetched() {
	same "0 there" "$status $([ -e "$work/cache/$1" ] && echo there)"
}

refused() {
	same "1 " "$status $([ -e "$work/cache/$1" ] && echo there)" && holds "$said" "$2"
}

mkdir -p "$work/bin" "$work/tools/vm"
cp "$tools/setup" "$tools/packages.sh" "$tools/kernels.tsv" "$tools/distributions.tsv" "$work/tools"
cp "$tools/vm/kernel-version" "$work/tools/vm"
cat >"$work/bin/apt-get" <<END
#!/bin/sh
for last; do :; done
[ ! -e $work/debs/\$last.deb ] || cp $work/debs/\$last.deb .
END
cat >"$work/bin/apt-cache" <<'END'
#!/bin/sh
END
chmod +x "$work/bin/apt-get" "$work/bin/apt-cache"
deb busybox-static 1:1.35 amd64
deb linux-image-6.1.0-77-amd64 6.1.192-2 amd64
good=$(hash_of busybox-static)
bad=$(echo "$good" | tr 0-9 1-90)

locked "busybox-static amd64 1:1.35 $good 2026-11-24"
setup busybox
check "the version and hash of the list are taken" fetched busybox
check "nothing is said of them" same "" "$(echo "$said" | grep packages.lock)"
export KMARK_LOCKED=1
setup busybox
check "so they are under KMARK_LOCKED" fetched busybox
unset KMARK_LOCKED

locked "busybox-static amd64 1:1.35 $bad 2026-11-24"
setup busybox
check "another hash of that version is refused" refused busybox \
	"busybox-static 1:1.35 has the hash $good; tools/packages.lock expects $bad: not used"

locked "busybox-static amd64 1:1.36 $good 2026-11-24" "busybox-static arm64 1:1.35 $good 2026-11-24"
setup busybox
check "another version is taken" fetched busybox
check "both versions are said, and the day" holds "$said" \
	"busybox-static is 1:1.35 here; tools/packages.lock has 1:1.36, of 2026-11-24"
export KMARK_LOCKED=1
setup busybox
check "under KMARK_LOCKED another version is refused" refused busybox "KMARK_LOCKED is set, so it is not used"
locked
setup busybox
check "under KMARK_LOCKED one that is not in the list is refused" refused busybox \
	"busybox-static is 1:1.35 here; tools/packages.lock has none"

# The name of a kernel package has the version, too.
image=linux-image-6.1.0-77-amd64
locked "linux-image-6.1.*-amd64 amd64 6.1.192-2 $(hash_of $image) 2026-11-24" \
	"linux-image-6.12.*-amd64 amd64 6.12.95-1 $bad 2026-11-24"
setup kernel
check "a kernel of the version in the list is taken" fetched kernel/6.1.0-77-amd64
locked "linux-image-6.1.*-amd64 amd64 6.1.176-1 $(hash_of $image) 2026-11-20"
setup kernel
check "a later one is refused" refused kernel/6.1.0-77-amd64 \
	"$image is 6.1.192-2 here; tools/packages.lock has 6.1.176-1, of 2026-11-20"

# Another tools/setup makes something else.
mkdir -p "$work/cache/busybox"
check "what is there is printed while another one has the lock" same "$work/cache/busybox" \
	"$(KMARK_CACHE="$work/cache" PATH="$work/bin:$PATH" flock "$work/cache/lock" \
		timeout 30 "$work/tools/setup" --path busybox 2>&1)"

# The list itself.
check "each line has a name, an architecture, a version, a hash, a day and a suite" same "" \
	"$(grep -vE '^(#|[a-z0-9.*+-]+ (amd64|arm64|all) [^ ]+ [0-9a-f]{64} 20[0-9]{2}-[0-9]{2}-[0-9]{2} [a-z]+$)' \
		"$tools/packages.lock")"
for package in linux-image-6.1.\* linux-image-6.12.\* linux-headers-6.1.\* \
	$(sed -n 's/^\([0-9.]*\)\t.*/linux-source-\1/p' "$tools/kernels.tsv"); do
	check "$package is in it" grep -qF "$package" "$tools/packages.lock"
done
tap_done
