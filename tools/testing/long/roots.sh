# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # what the tests set and use: $top; $debian, $clean
# For tests in clean roots of Debian, sourced behind tap.sh with the test's arguments: continues in a mount namespace,
# whose mounts end with it. $releases has the releases to try, $work is a folder, $work/log the output of `inside`.
cd "$top" || exit 1
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP mounts need root"; exit; }
[ "${ROOTS_NAMESPACE:-}" ] || {
	tools/setup install || exit 1
	ROOTS_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$@"
}
releases=${DEBIAN:-$(sed -n 's/^debian\t\([0-9]*\).*/\1/p' tools/distributions.tsv | xargs)}
work=$(mktemp -d)
trap 'umount -R --lazy "$work"/*/root 2>/dev/null; rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' INT TERM

# name_root NAME: sets $root, where make_root makes the folder $clean writable, and $changed, which has all that is
# written there.
name_root() {
	root=$work/$debian-$1/root
	changed=$work/$debian-$1/changed
}

make_root() {
	mkdir -p "$root" "$changed" "$root/../overlay"
	mount -t overlay -o "lowerdir=$clean,upperdir=$changed,workdir=$root/../overlay" overlay "$root" &&
		mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"
}

# A process that an installed service left there may still use a mount.
drop_root() {
	umount -R --lazy "$root"
}

# inside COMMANDS: in the root.
inside() {
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		DEBIAN_FRONTEND=noninteractive chroot "$root" sh -ec "$1" >>"$work/log" 2>&1 </dev/null ||
		{ tail -n 20 "$work/log"; return 1; }
}
