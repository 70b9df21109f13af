#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The Debian packages: they are built from a copy of the tree without a finding of lintian, and
# what is in them works.
# shellcheck disable=SC2317 # called through check
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=/lib/modules/$("$top/tools/vm/kernel-version")/build || exit 1
cd "$top" || exit 1
# Where another user than root does not look for modinfo and dkms.
PATH=$PATH:/usr/sbin:/sbin
version=$(cat VERSION)
root=$work/root

mkdir "$work/markers" "$root" "$work/dkms"
git ls-files -co --exclude-standard | while read -r file; do
	[ ! -e "$file" ] || cp --parents "$file" "$work/markers"
done
mkdir "$work/again"
cp -r "$work/markers" "$work/again"
build_packages() {
	(cd "$work/markers" && dpkg-buildpackage -us -uc) >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }
	for deb in "$work"/*.deb; do
		dpkg-deb -x "$deb" "$root"
	done
}
check "the packages are built" build_packages
check "nothing is downloaded for that" same "" "$(grep '^setup:' "$work/log")"
# Tags about other systems than Debian of today, of which a version of lintian knows one or the other.
known=$(lintian-explain-tags --list-tags | grep -x 'package-supports-alternative-init-but-no-init.d-script\|out-of-date-standards-version' |
	paste -s -d ,)
check "lintian finds nothing" same "0 " "$(lintian --allow-root --fail-on error,warning,info ${known:+--suppress-tags "$known"} \
	--display-level '>=info' "$work"/*.changes >"$work/lintian" 2>&1; echo "$? $(cat "$work/lintian")")"
check "each of the six packages" same \
	"libmarkers-dev libtsc-dev linux-patch-markers markers-bench-dkms markers-dkms markers-tools " \
	"$(cd "$work" && for deb in *.deb; do printf '%s ' "${deb%%_*}"; done)"
check "their version is that of the file VERSION" same "$version" "$(dpkg-parsechangelog -S Version)"
check "so is that of what pkg-config knows" same "$version $version " "$(cat "$root/usr/share/pkgconfig/markers.pc" \
	"$root"/usr/lib/*/pkgconfig/tsc.pc | sed -n 's/^Version: //p' | tr '\n' ' ')"
check "so is that of CITATION.cff" holds "$(cat CITATION.cff)" "version: \"$version\""
check "and CHANGELOG.md has it" holds "$(grep '^## ' CHANGELOG.md)" "## $version"

build_again() {
	(umask 027 && cd "$work/again/markers" && TZ=Asia/Tokyo dpkg-buildpackage -b -us -uc) >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }
	for deb in "$work"/*.deb; do
		cmp "$deb" "$work/again/${deb##*/}" || return
	done
}
check "built later, in another folder, they are the same bytes" build_again
pyz_again() {
	python3 "$work/markers/tools/pyz.py" "$work/kmark.pyz" &&
		(umask 027 && cd "$work/again" && TZ=Asia/Tokyo python3 markers/tools/pyz.py again.pyz) &&
		cmp "$work/kmark.pyz" "$work/again/again.pyz"
}
check "so is kmark.pyz" pyz_again

# sources_for_arm64 FOLDER: what the modules of another architecture are built from, there.
sources_for_arm64() {
	make -s -n -C "$1" modules ARCH=arm64 2>/dev/null | sed -n 's/.* cp -u --parents \(.*\) build.*/\1/p' | tr ' ' '\n' | sort
}
check "modules for arm64 are built from the same files without git" same \
	"$(sources_for_arm64 "$top" | grep -c '^markers/marker\.h$') $(sources_for_arm64 "$top")" \
	"1 $(sources_for_arm64 "$work/again/markers")"

check "make install has depmod read the modules that it has installed" same \
	"/sbin/depmod $(basename "$(dirname "$build")")" "$(make -s -n install-modules KDIR="$build" MAKE=true | tail -n 1)"

# The list of modules, against what kbuild makes and what dkms reads.
named=$(sed '/^#/d' modules.list | sort)
# dkms_lists FOLDER: as dkms sees its dkms.conf.
dkms_lists() {
	bash -c '. "$1"; for i in ${!BUILT_MODULE_NAME[*]}; do
		echo "${BUILT_MODULE_LOCATION[i]}/${BUILT_MODULE_NAME[i]}"; done' dkms "$1/dkms.conf"
}
check "modules.list names what kbuild makes, but for the tests" same "$named" "$(
	find markers probes bench -name '*.mod' | sed 's|\.mod$||; \,^markers/selftest/\|^bench/site_code/,d' | sort)"
check "dkms reads the list, what only measures is a package of its own" same "$named bench" "$({
	dkms_lists "$root/usr/src/markers-$version"
	dkms_lists "$root/usr/src/markers-bench-$version"; } | sort) $(
	dkms_lists "$root/usr/src/markers-bench-$version" | cut -d/ -f1 | sort -u)"
here_dkms() { dkms "$@" --sourcetree "$root/usr/src" --dkmstree "$work/dkms"; }
check "dkms adds the sources" same "markers/$version: added markers-bench/$version: added" "$(
	here_dkms add -m markers -v "$version" >&2
	here_dkms add -m markers-bench -v "$version" >&2
	here_dkms status | sort -r | xargs)"
# dkms_says FOLDER NAME: the value of a name in its dkms.conf, for a kernel "release" on "machine".
dkms_says() {
	dkms_tree=$work/dkms kernelver=release arch=machine bash -c '. "$1/dkms.conf"; echo "${!2}"' dkms "$@"
}
# Since 3.2, dkms moves its own folder to release/machine, so a build must not make that folder.
symvers_kept() {
	same "" "$(dkms_says "$top" MAKE | grep -F release/machine)" || return
	mkdir -p "$work/built/build" "$work/built/release/machine/module"
	cp -r "$root/usr/src/markers-$version/." "$work/built/build"
	echo symbols >"$work/built/build/Module.symvers"
	(cd "$work/built/build" && sh -c "./$(dkms_says "$top" POST_BUILD)") &&
		same symbols "$(cat "$work/built/release/machine/module/Module.symvers")"
}
check "Module.symvers is kept beside the modules, with old and new dkms" symvers_kept
# The limits, against the versions that the project knows.
limits() {
	sed -n 's/^\([0-9.]*\)\t.*/\1.0-1-amd64\n\1.5\n\1-rc1/p' tools/kernels.tsv >"$work/known"
	newest=$(sed -n 's/^\([0-9.]*\)\t.*/\1/p' tools/kernels.tsv | tail -n 1)
	printf '%s\n' 5.10.0-30-amd64 6.0.3 "${newest%.*}.$((${newest#*.} + 1)).0" 61.0.0 >"$work/unknown"
	same "$(cat "$work/known")" "$(cat "$work/known" "$work/unknown" | grep -E "$(dkms_says "$1" BUILD_EXCLUSIVE_KERNEL)")" &&
		same "x86_64 aarch64" "$(printf '%s\n' x86_64 i686 riscv64 aarch64 |
			grep -E "$(dkms_says "$1" BUILD_EXCLUSIVE_ARCH)" | xargs)"
}
check "dkms.conf has the limits of tools/kernels.tsv" limits "$root/usr/src/markers-$version"
check "so has that of the benchmark" limits "$root/usr/src/markers-bench-$version"
check "the modules have the version" same "$(echo "$named" | sed 's/.*/'"$version"'/')" "$(
	echo "$named" | sed 's/$/.ko/' | xargs -n 1 modinfo -F version)"
check "they are all that the tree has, and nothing built" same "" "$(cd "$root/usr/src/markers-$version" &&
	find Kbuild markers probes tools -type f | while read -r file; do
		cmp "$file" "$work/markers/$file" 2>&1
	done; cd "$work/markers" && find markers probes -name '*.[chS]' ! -path 'markers/selftest/*' |
	while read -r file; do [ -e "$root/usr/src/markers-$version/$file" ] || echo "no $file"; done)"

# broken FOLDER: links of the pages in it to files that are not there, but for those of the sources.
broken() {
	find "$1" -name '*.md' | while read -r page; do
		grep -oE '\]\([^):#]+' "$page" | cut -c 3- | while read -r link; do
			[ -e "$(dirname "$page")/$link" ] || echo "${page#"$1/"}: $link"
		done
	done | grep -vE ': (https$|examples/|(\.\./)+(bench|markers|probes|tools|patches)/)'
}
check "links of the installed pages are those of the sources" same "" "$(broken "$root/usr/share/doc/markers-tools")"

# Kernel modules of users: one with a marker, one with a probe, in the folder of its name.
build_module() {
	name=$1
	shift
	PATH=$work/bin:$PATH PKG_CONFIG_PATH=$root/usr/share/pkgconfig make -C "$work/$name" KDIR="$build" "$@" >"$work/$name.log" 2>&1 ||
		{ cat "$work/$name.log"; return 1; }
	! grep -iE '(warning|error):' "$work/$name.log"
}
# The examples are copied from the package's files, and pkg-config finds the headers.
examples=$root/usr/share/doc/libmarkers-dev/examples
cp -r "$examples"/* "$work"
mkdir "$work/bin"
printf '#!/bin/sh\nexec /usr/bin/pkg-config --define-prefix "$@"\n' >"$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
for name in marked hello; do
	check "a copy of the example $name is built with libmarkers-dev" build_module $name
done
check "it has the tables" holds "$(nm "$work/marked/marked.ko")" __marker_sites
check "so is that of a probe" build_module probe_last SYMBOLS="$top/Module.symvers"

# Kbuild files as the pages have them.
mkdir "$work/foo" "$work/stub"
cp "$work/marked/Makefile" "$work/foo"
cp "$work/marked/main.c" "$work/foo/foo.c"
cp "$work/marked/Makefile" "$root/usr/include/markers/marker_stub.h" "$work/stub"
sed 's/"marker.h"/"marker_stub.h"/' "$work/foo/foo.c" >"$work/stub/stub.c"
cat >"$work/foo/Kbuild" <<'END'
obj-m := foo.o
include $(shell pkg-config --variable=mk markers)
END
cat >"$work/stub/Kbuild" <<'END'
obj-m := stub.o
-include $(shell pkg-config --silence-errors --variable=mk markers)
END
check "a Kbuild file with the line for pkg-config is enough" build_module foo
check "with a copy of marker_stub.h, too" build_module stub
check "then it has the tables" holds "$(nm "$work/stub/stub.ko")" __marker_sites
make -C "$work/stub" KDIR="$build" clean >/dev/null
rm "$root/usr/share/pkgconfig/markers.pc"
check "it also builds where the markers are not installed" build_module stub
check "without tables" same "" "$(nm "$work/stub/stub.ko" | grep __marker_sites)"

use_tsc() {
	zcat "$root/usr/share/man/man3/tsc.3.gz" | sed -n '/^#include/,/^}/p' |
		sed 's/\\e/\\/g; s/\\-/-/g' >"$work/example.c"
	# shellcheck disable=SC2046 # several flags
	gcc -Wall -Wextra -Werror -O2 -o "$work/example" "$work/example.c" $(
		PKG_CONFIG_PATH=$(dirname "$root"/usr/lib/*/pkgconfig/tsc.pc) \
			pkg-config --define-variable=prefix="$root/usr" --cflags --libs tsc) &&
		holds "$("$work/example")" " ns"
}
check "the manual's example works with libtsc-dev" use_tsc

# markers.service, whose program calls kmark as the file says. This kmark notes its arguments, fails at
# "bad", and has the session "boot" after a flight recorder began.
cat >"$work/bin/kmark" <<'END'
#!/bin/sh
echo "kmark $*" >>"${0%/bin/kmark}/calls"
case $* in
*bad* | *"-o /proc/none"*) exit 1 ;;
"record --flight"*) touch "${0%/bin/kmark}/session" ;;
*--remove*) rm "${0%/bin/kmark}/session" ;;
"record sessions") [ ! -e "${0%/bin/kmark}/session" ] || echo "boot  recording" ;;
esac
END
printf '#!/bin/sh\necho "modprobe $*" >>"%s/calls"\n' "$work" >"$work/bin/modprobe"
chmod +x "$work/bin/kmark" "$work/bin/modprobe"
# boot start|stop LINE...: with a file of these lines; leaves its calls in $calls, without questions.
boot() {
	: >"$work/calls"
	verb=$1
	shift
	# The last line has no end.
	{ printf '%s\n' '# a comment' '' && printf '%s\n' "$@" | head -c -1; } >"$work/markers.conf"
	PATH=$work/bin:$PATH "$root/usr/lib/markers/markers-boot" "$verb" "$work/markers.conf" 2>"$work/err"
	status=$?
	calls=$(grep -vx 'kmark record sessions' "$work/calls")
}
lines="modules markers probe_ctf|connect net_* count if len > 9|record --size 1M *|save $work/saved"
IFS='|'
# shellcheck disable=SC2086 # lines
boot start $lines
check "at boot, modules are loaded, connections are made, the flight recorder begins" same "0 modprobe -a markers probe_ctf
kmark connect --arm net_* count if len > 9
kmark record --flight --session boot --arm --size 1M *" "$status $calls"
# shellcheck disable=SC2086 # lines
boot stop $lines
unset IFS
check "at shutdown, the recording is saved and all is disconnected" same "0 kmark disconnect net_* count
kmark record snapshot --session boot -o $work/saved/TIME
kmark record sessions --remove boot" "$status $(echo "$calls" | sed 's/[0-9]*T[0-9]*Z$/TIME/')"
touch "$work/session"
boot stop "save /proc/none"
check "a recording that cannot be saved stays, and the program says so" holds "$status $(cat "$work/err") $(ls "$work/session")" \
	"1 markers-boot: the flight recorder stays, as /proc/none cannot be written; "
check "it is not removed" same "" "$(echo "$calls" | grep -e --remove)"
rm "$work/session"
boot start "connect net_* count" "connect bad count" "record *"
check "a line that fails is named, and what was done is undone" same "1 kmark connect --arm net_* count
kmark connect --arm bad count
kmark disconnect net_* count
kmark disconnect bad count
markers-boot: $work/markers.conf: failed: connect bad count" "$status $calls
$(cat "$work/err")"
boot start "connect net_* count" "connect bad"
check "a line without a probe fails, and only what was done is undone" same "1 kmark connect --arm net_* count
kmark connect --arm bad
kmark disconnect net_* count" "$status $calls"
boot start "conect net_* count"
check "an unknown word is named" holds "$status $(cat "$work/err")" "1 markers-boot: no such word: conect"
check "the service starts that program" holds "$(cat "$root/usr/lib/systemd/system/markers.service")" \
	ExecStart=/usr/lib/markers/markers-boot
boot start "$(grep '^#[a-z]' "$root/usr/share/markers/markers.conf" | sed "s/^#//; s|/var/log|$work|")"
check "each line of the example works" same "0 4" "$status $(grep -c '^#[a-z]' "$root/usr/share/markers/markers.conf")"

# kmark, with nothing of the project's tree, cache and environment.
alone() {
	output=$(cd / && env -i PATH=/usr/bin:/bin "$root/usr/bin/kmark" "$@" 2>&1)
	status=$?
}
alone list --root "$work"
check "kmark runs, and says which file it misses" holds "$status $output" "1 kmark: $work/markers: "
alone bench
check "kmark says what other verbs lack" holds "$status $output" \
	"1 kmark: this verb needs the project's files"
check "it begins with the distribution's Python" same "#!/usr/bin/python3 -ISXutf8" "$(head -n 1 "$root/usr/bin/kmark" | tr -d '\0')"
alone --version
check "kmark --version is that of the file VERSION" same "0 kmark $(cat VERSION)" "$status $output"
alone help
verbs=$(echo "$output" | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
check "it shows the verbs that work there" same "list connect disconnect stat hist watch record help" "$(echo "$verbs" | xargs)"
check "each of them has a manual page, and no other" same "$(echo "kmark
$verbs" | sed '2,$s/^/kmark-/' | sort)" \
	"$(cd "$root/usr/share/man/man1" && basename -s .1.gz kmark* | sort)"
check "the manual has no mistakes" same "" "$(zcat "$root"/usr/share/man/man1/kmark*.1.gz | groff -man -ww -z 2>&1)"
check "zsh has the completion of the same verbs" same "$(tools/kmark dev completion --installed zsh)" \
	"$(cat "$root/usr/share/zsh/vendor-completions/_kmark")"
check "bash completes" same "snapshot" "$(bash -c '. "$1"; COMP_WORDS=(kmark record sna); COMP_CWORD=2
	_kmark; echo "${COMPREPLY[*]}"' bash \
	"$root/usr/share/bash-completion/completions/kmark")"
check "the series are those that make series writes" sh -c 'make series >/dev/null && diff -r build/series "$1"' \
	diff "$root/usr/src/kernel-patches/markers"
check "make dist has them beside the sources" same "$(find build/series -type f | sort)" "$(make dist >/dev/null &&
	tar -tf "build/markers-$version.tar.gz" | sed -n "s|^markers-$version/\(build/series/.*[^/]\)$|\1|p" | sort)"
tap_done
