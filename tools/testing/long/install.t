#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every way of Documentation/install.md, each on a Debian 12 of its own, which had nothing of
# this project; then a guest takes that as its root, loads the modules, and connects a probe to
# a module that was built there. The page's table is what this prints. Needs root, or sudo.
# shellcheck disable=SC2317 # called through check
top=$(dirname "$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")")
debian=$("$top/tools/setup" --path debian) && kernel=$("$top/tools/setup" --path kernel) || exit 1
# What is mounted here is not seen elsewhere.
if [ -z "${INSTALL_MOUNTS-}" ]; then
	[ "$(id -u)" = 0 ] || sudo=sudo
	exec ${sudo-} env "HOME=$HOME" INSTALL_MOUNTS=own unshare --mount "$0"
fi
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
cd "$top" || exit 1
version=$(basename "$kernel")
release=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
listed=$(sed '/^#/d' modules.list)
number=$(echo "$listed" | wc -l)
work=$(mktemp -d)
trap 'umount -R "$work"; rm -rf "$work"' EXIT
mount -t tmpfs work "$work" || exit 1
source=usr/local/src/marker

# The tree, and the packages of it.
mkdir "$work/marker"
git ls-files -co --exclude-standard | while read -r file; do
	[ ! -e "$file" ] || cp --parents "$file" "$work/marker"
done
check "the packages are built" sh -c "cd $work/marker && dpkg-buildpackage -b -us -uc >../log 2>&1 || { tail ../log; false; }"
rm -r "$work/marker/build"

# fresh WAY: the system at $root, whose changes are below $work/WAY/new.
fresh() {
	way=$1 root=$work/$1/root new=$work/$1/new
	mkdir -p "$root" "$new" "$work/$1/work"
	mount -t overlay -o "lowerdir=$debian,upperdir=$new,workdir=$work/$1/work" overlay "$root" || exit 1
	for dir in proc sys dev; do
		mount --rbind "/$dir" "$root/$dir" || exit 1
	done
	mkdir -p "$root/$source"
	cp -r "$work/marker/." "$root/$source"
}

# inside COMMAND: of the shell, there.
inside() {
	chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		DEBIAN_FRONTEND=noninteractive sh -ec "cd /$source; $1" >"$work/$way/log" 2>&1 ||
		{ tail -n 20 "$work/$way/log"; return 1; }
}

# build_marked WORD: examples/marked, whose Kbuild file includes WORD.
build_marked() {
	rm -rf "${root:?}/usr/local/src/marked"
	mkdir "$root/usr/local/src/marked"
	cp "$work/marker/Documentation/examples/marked/main.c" "$root/usr/local/src/marked/marked.c"
	printf 'obj-m := marked.o\ninclude %s\n' "$1" >"$root/usr/local/src/marked/Kbuild"
	inside "make -C /lib/modules/$version/build M=/usr/local/src/marked modules"
}

# files PATTERN: how many were installed.
files() { find "$new" -type f -path "$new/$1" ! -path "$new/$source/*" | wc -l; }
place() { find "$new" -type f -path "$new/$1" ! -path "$new/$source/*" | head -n 1 | sed "s|^$new\(.*\)/[^/]*$|\`\1\`|"; }

# in_guest APPEND SCRIPT...: with $root as its root.
in_guest() {
	append=$1
	shift
	tools/kmark vm --host-root --timeout 300 --append "$append" --add "$top/modules.list" \
		-- tools/testing/guest/install.sh "$root" "$@"
}

# row WORDS HOW: what was installed, and what the guest did with it.
row() {
	modules=$(files "usr/lib/modules/$version/*.ko")
	folder=$(place "usr/lib/modules/$version/*/markers.ko" | sed "s|/usr/lib/modules/$version/||; s|/markers\`|\`|")
	headers=$(files '*/include/markers/*')
	patches=$(files '*/kernel-patches/*.patch')
	[ "$modules" = 0 ] && modules=- || modules="$modules in $folder"
	[ "$headers" = 0 ] && headers=- || headers="$headers in $(place '*/include/markers/marker.h')"
	[ "$patches" = 0 ] && patches=- || patches="$patches in $(place '*/kernel-patches/*.patch' | sed 's|/linux-[^/]*`|`|')"
	kmark=$(place '*/bin/kmark')
	tsc=$(place '*/libtsc.a')
	echo "| $1 | $modules | ${kmark:--} | $headers | ${tsc:--} | $patches | $(in_guest '' "$2") |" >>"$work/table"
}

fresh packages
cp "$work"/*.deb "$root/root"
check "packages: apt installs them" inside 'apt-get install -y /root/*.deb'
check "dkms built and signed the modules" same "$number" "$(for file in "$root/lib/modules/$version/updates/dkms"/*.ko; do
	/sbin/modinfo -F signer "$file"; done | grep -c 'DKMS module signing key')"
check "a module is built with libmarkers-dev" build_marked '$(shell pkg-config --variable=mk markers)'
check "a probe is built with what dkms kept" inside "cp -r /usr/share/doc/libmarkers-dev/examples/probe_last /usr/local/src
	make -C /lib/modules/$version/build M=/usr/local/src/probe_last MARKERS=/usr/include/markers modules \
		KBUILD_EXTRA_SYMBOLS=/var/lib/dkms/markers/$release/$version/x86_64/log/Module.symvers"
unsigned=$(in_guest lockdown=integrity refused)
check "a locked kernel refuses what it cannot verify" holds "$unsigned" "Key was rejected by service"
check "so does one that enforces signatures" holds "$(in_guest module.sig_enforce=1 refused)" "Key was rejected by service"
check "the probe is loaded, connected and called" same "1 of 1" "$(in_guest '' probe_last)"
row '`apt install ./*.deb`' modprobe

check "apt removes them" inside 'apt-get purge -y markers-dkms markers-tools libmarkers-dev libtsc-dev linux-patch-markers'
check "nothing stays" same "" "$(find "$new" -type f \( -name '*.ko' -o -path '*markers*' -o -name '*kmark*' -o -name '*tsc*' \) \
	! -path "$new/usr/local/src/*" ! -path "$new/root/*")"
umount -R "$root"

fresh dkms
check "dkms: dkms installs" inside "dkms add . && dkms install markers/$release -k $version"
check "a module is built with the tree's headers" build_marked "/$source/markers/marker.mk"
row '`dkms install`' modprobe
umount -R "$root"

fresh make
check "by hand: make modules" inside 'make modules'
check "a module is built with the tree's headers" build_marked "/$source/markers/marker.mk"
row '`make modules`' insmod
check "make install" inside 'make install'
check "a module is built with what it installed" build_marked '$(shell PKG_CONFIG_PATH=/usr/local/share/pkgconfig pkg-config --variable=mk markers)'
row '`make install`' modprobe
umount -R "$root"

sed 's/^/# /' "$work/table"
awk '/^## What each way/ { on = 1 } on && /^\| `/' Documentation/install.md >"$work/page"
check "the page has this table" diff "$work/page" "$work/table"
tap_done
