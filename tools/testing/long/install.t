#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each way of Documentation/install.md on each clean Debian of tools/distributions.tsv, with its own kernel:
# what is installed, over version 0.1 where that had packages; whether a guest with that as its root
# loads each module and sees an event; and what is left after removal. Prints a table. Commands of the
# page run in a chroot, as compiling in an emulated guest would take hours. Needs root, for mounts.
# Many minutes: prove -v tools/testing/long/install.t
#
# Arguments: the ways to try (default: all). DEBIAN has the releases to try (default: all). PACKAGES is a
# folder of `make release`, whose packages are installed then; without it they are built.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
# shellcheck source=roots.sh
. "$here/roots.sh"
version=$(cat VERSION)
# copy_tree FOLDER: the sources, as a clone has them.
copy_tree() {
	mkdir -p "$1"
	git ls-files -co --exclude-standard | while read -r file; do
		[ ! -e "$file" ] || cp --parents "$file" "$1"
	done
}

# make_way SOURCES: a clean root, with the sources at /mnt.
make_way() {
	make_root && mount --bind "$1" "$root/mnt"
}

# Files that are new, differ, or are gone, without the package manager's own notes and logs.
changes() {
	(cd "$changed" && find . ! -type d) | sed 's/^\.//' |
		grep -vE '^/var/(lib/(dpkg|apt)|log|cache)/' | while read -r file; do
		if [ -c "$changed$file" ] && [ "$(stat -c %t:%T "$changed$file")" = 0:0 ]; then
			[ ! -e "$clean$file" ] || echo "$file (removed)"
		elif [ ! -e "$clean$file" ] && [ ! -L "$clean$file" ] || ! cmp -s "$changed$file" "$clean$file"; then
			echo "$file"
		fi
	done
	(cd "$changed" && find . -mindepth 1 -type d -empty) | sed 's/^\.//' |
		grep -vE '^/var/(lib/(dpkg|apt)|log|cache)/' | while read -r folder; do
		[ -d "$clean$folder" ] || echo "$folder/"
	done
}

# The ways. Each sets $install, $remove, $load (with a line of modules.list on its input), $kmark,
# $earlier (what installs version 0.1, which dkms of Debian 13 does not build),
# and $mk, which Kbuild files of markers include.
way_apt() {
	install='apt-get -y install /mnt/*.deb'
	[ "$debian" != 12 ] || earlier='apt-get -y install /mnt/earlier/*.deb'
	remove='apt-get -y purge markers-bench-dkms markers-dkms markers-tools libmarkers-dev libtsc-dev linux-patch-markers'
	load="$modprobe" kmark=kmark mk=/usr/include/markers/marker.mk
}
way_dkms() {
	install="cd /mnt && dkms add . && dkms install markers/$version -k $release"
	remove="dkms remove markers/$version --all && rm -r /usr/src/markers-$version"
	load="$modprobe" kmark='' mk=/usr/src/markers-$version/markers/marker.mk
}
way_make() {
	install='make -C /mnt install'
	remove='make -C /mnt uninstall'
	load="$modprobe" kmark=kmark mk=/usr/local/include/markers/marker.mk
}
way_destdir() {
	install="make -C /mnt install DESTDIR=/srv/stage && depmod -b /srv/stage $release"
	remove='rm -r /srv/stage'
	load="read -r line; modprobe -d /srv/stage \${line##*/}"
	kmark=/srv/stage/usr/local/bin/kmark mk=/srv/stage/usr/local/include/markers/marker.mk
}
way_insmod() {
	install='make -C /mnt user-modules'
	remove=true
	# shellcheck disable=SC2016 # for the guest
	load='read -r line; insmod /mnt/$line.ko'
	kmark='' mk=/mnt/markers/marker.mk
}
# shellcheck disable=SC2016 # for the guest
modprobe='read -r line; modprobe ${line##*/}'

# build_packages FOLDER: of the sources there.
build_packages() {
	(cd "$1" && dpkg-buildpackage -b -us -uc) >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }
}

# The packages of version 0.1, whose last commit is that before the file VERSION came.
make_earlier() {
	mkdir -p "$work/earlier/markers" "$work/debs/earlier" &&
		git archive "$(git log --diff-filter=A --format=%H -- VERSION | tail -n 1)^" |
		tar -x -C "$work/earlier/markers" &&
		build_packages "$work/earlier/markers" && mv "$work/earlier"/*.deb "$work/debs/earlier"
}

make_packages() {
	mkdir -p "$work/debs"
	case " $releases " in *" 12 "*) make_earlier || return ;; esac
	if [ "${PACKAGES:-}" ]; then
		(cd "$PACKAGES" && sha256sum --quiet -c SHA256SUMS) && cp "$PACKAGES"/*.deb "$work/debs"
		return
	fi
	copy_tree "$work/packages/markers"
	build_packages "$work/packages/markers" && mv "$work/packages"/*.deb "$work/debs"
}

# In the guest's root, but not among what is installed: a module with a marker.
make_marked() {
	mkdir "$root/run/marked" && mount -t tmpfs tmpfs "$root/run/marked" &&
		cp Documentation/examples/marked/main.c "$root/run/marked/marked.c" &&
		printf 'obj-m := marked.o\ninclude %s\n' "$mk" >"$root/run/marked/Kbuild" &&
		inside "make -C /lib/modules/$release/build M=/run/marked modules"
}

# Each example of the packages, built where it was copied to.
try_examples() {
	inside "cp -r /usr/share/doc/libmarkers-dev/examples /run/marked
		for example in /run/marked/examples/*; do make -C \$example KDIR=/lib/modules/$release/build; done"
}

# try_in_guest: its lines are in $said.
try_in_guest() {
	# shellcheck disable=SC2086 # a word for each module
	said=$(tools/kmark dev vm --kernel "$clean" --host-root --timeout 300s -- tools/testing/long/install.sh \
		"$root" "$load" "$kmark" /run/marked/marked.ko $modules 2>&1)
}

# try_writable SCRIPT ARGUMENT: the script in a guest that can write to its root; its lines are in $said.
try_writable() {
	said=$(tools/kmark dev vm --kernel "$clean" --host-root --modules overlay --memory 1G --timeout 1200s \
		--add tools/testing/long/writable.sh -- "tools/testing/long/$1" "$root" "$2" 2>&1)
}

# markers.service, in a guest with systemd.
try_service() {
	check "$way: markers.service is off" same disabled "$(chroot "$root" systemctl is-enabled markers)"
	try_writable boot.sh /run/marked/marked.ko
	check "$way: enabled, it is active after boot" holds "$said" "active (exited)"
	check "$way: the recording is saved at shutdown" holds "$said" saved
}

# debian/tests, which remove the packages from the guest's root.
try_autopkgtest() {
	failed=$tap_failed gone=nothing
	try_writable autopkgtest.sh "$top"
	check "$way: autopkgtest passes debian/tests" holds "$(echo "$said" | tr -s ' ')" "event PASS"
	[ "$tap_failed" = "$failed" ] || gone=failed
	row "debian $debian" "$release" autopkgtest - - \
		"$(echo "$said" | sed -n 's/.*[^ ]: marked\/marked_level: //p' | head -n 1)" - "$gone"
}

# Packages whose modules cannot be built, as make fails.
try_failed_build() {
	name_root failed
	make_way "$work/debs" && mv "$root/usr/bin/make" "$root/run" && cp "$root/bin/false" "$root/usr/bin/make"
	check "a failed build leaves the packages configured" inside "$install && [ -z \"\$(dpkg --audit)\" ]"
	check "the message says so" grep -q "markers $version: no modules" "$work/log"
	check "the packages can be purged" inside "mv /run/make /usr/bin/make && $remove"
	check "nothing is left of a failed build" same "" "$(changes)"
	drop_root
}

# row DISTRIBUTION KERNEL WAY FILES LOADED EVENT UPGRADED LEFT
row() {
	printf '%-12s %-24s %-11s %6s %7s  %-17s  %-9s %s\n' "$@" >>"$work/table"
}

try_way() {
	way=$1
	earlier='' upgraded=-
	"way_$way"
	# Modules that only measure are a package of their own.
	modules=$(sed '/^#/d' modules.list)
	[ "$way" = apt ] || modules=$(echo "$modules" | grep -v '^bench/')
	wanted=$(echo "$modules" | wc -l)
	case $way in
	apt) sources=$work/debs ;;
	*) sources=$work/$debian-tree-${way#make} ;;
	esac
	# These three ways share one build: none of them compiles in another way.
	case $way in make | destdir | insmod) sources=$work/$debian-tree-make ;; esac
	[ -d "$sources" ] || copy_tree "$sources"
	name_root "$way"
	check "$way: a clean root" make_way "$sources"
	failed=$tap_failed
	[ ! "$earlier" ] || check "$way: version 0.1 is installed" inside "$earlier"
	check "$way: $install" inside "$install"
	if [ "$tap_failed" != "$failed" ]; then
		row "debian $debian" "$release" "$way" - - none - "not tried: it cannot be installed"
		drop_root
		return
	fi
	[ ! "$earlier" ] || upgraded="from 0.1"
	changes >"$work/$debian-$way/installed"
	files=$(wc -l <"$work/$debian-$way/installed")
	built=$(grep -c "/lib/modules/$release/.*\.ko\(\.xz\)\?$" "$work/$debian-$way/installed")
	[ "$way" != insmod ] || built=$(echo "$modules" | sed "s|.*|$root/mnt/&.ko|" | xargs ls | wc -l)
	check "$way: each module of modules.list is there" same "$wanted" "$built"
	check "$way: a module with a marker is built" make_marked
	try_in_guest
	check "$way: the guest loads each" holds "$said" "loaded $wanted"
	loaded=$(echo "$said" | sed -n 's/^loaded //p')
	event=$(echo "$said" | sed -n 's/^event //p')
	check "$way: an event is seen" same "from 0 to 5 by sh" "$event"
	check "$way: each is unloaded" holds "$said" unloaded
	if [ "$way" = apt ]; then
		check "$way: each example builds as copied" try_examples
		try_service
		try_autopkgtest
	fi
	umount "$root/run/marked" && rmdir "$root/run/marked"
	check "$way: $remove" inside "$remove"
	left=$(changes)
	check "$way: nothing is left" same "" "$left"
	row "debian $debian" "$release" "$way" "$files" "$loaded" "${event:-none}" "$upgraded" \
		"$(echo "${left:-nothing}" | head -n 3 | xargs)"
	drop_root
}

[ $# -gt 0 ] || set -- apt dkms make destdir insmod
row distribution kernel way files loaded event upgraded left
case " $* " in *" apt "*) check "the packages are built" make_packages ;; esac
for debian in $releases; do
	clean=$(tools/setup --path "debian-$debian") || exit 1
	release=$(basename "$(ls -d "$clean"/lib/modules/*)")
	for way; do
		try_way "$way"
		[ "$way" != apt ] || try_failed_build
	done
done
sed 's/^/# /' "$work/table"
tap_done
