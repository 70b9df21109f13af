#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Commands of README.md in a fresh clone, on each Debian of tools/distributions.tsv: in a clean root that has git,
# make and sudo, but no other program that the project needs. Prints a table with the seconds of each command.
# Needs root, for mounts, and a network. Up to an hour for each Debian: prove -v tools/testing/long/fresh-clone.t
#
# Arguments: the commands (default: make bench, make check). DEBIAN has the releases to try (default: all). USERS
# has who calls the commands: root, user (who has sudo), or both (default: root).
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
# shellcheck source=roots.sh
. "$here/roots.sh"

# Give the root the CPUs of this machine, which lttng looks for, and its network: the resolver, certificates, and the
# options of pip.
share_machine() {
	mount --rbind /sys "$root/sys" && cp -L /etc/resolv.conf "$root/etc" && cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs" &&
		{ [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc"; }
}

# clone USER: the committed sources in the folder markers of the home of this user.
clone() {
	case $1 in
	root) home=/root ;;
	*)
		home=/home/$1
		inside "useradd -m $1 && echo '$1 ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/$1" || return
		;;
	esac
	git clone --quiet "$top" "$root$home/markers" && inside "chown -R $1: $home/markers"
}

printf '%-12s %-6s %-40s %7s  %s\n' distribution user command seconds result >"$work/table"
[ $# -gt 0 ] || set -- "make bench" "make check"
for debian in $releases; do
	clean=$(tools/setup --path "fresh-$debian") || exit 1
	for user in ${USERS:-root}; do
		name_root "$user"
		check "debian $debian: a clean root" make_root
		check "debian $debian: the CPUs and the network of this machine" share_machine
		check "debian $debian: a clone for $user" clone "$user"
		for command; do
			began=$(date +%s)
			failed=$tap_failed result=passed
			check "debian $debian, $user: $command" inside "su - $user -c 'cd markers && $command'"
			[ "$tap_failed" = "$failed" ] || result=failed
			printf '%-12s %-6s %-40s %7s  %s\n' "debian $debian" "$user" "$command" $(($(date +%s) - began)) "$result" \
				>>"$work/table"
		done
		drop_root
	done
done
sed 's/^/# /' "$work/table"
tap_done
