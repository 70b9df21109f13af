# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For scripts in guests with --host-root and --modules overlay: new_root FOLDER mounts at /new a writable copy of
# this folder of the host, with the guest's own /proc, /sys and /dev.
new_root() {
	modprobe overlay && mkdir /new /writable && mount -t tmpfs writable /writable &&
		mkdir /writable/upper /writable/work &&
		mount -t overlay -o "lowerdir=/host$1,upperdir=/writable/upper,workdir=/writable/work" overlay /new ||
		return
	# For bash, in which dkms reads the output of commands by this name, and for apt.
	[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd || return
	mkdir -p /dev/pts && mount -t devpts devpts /dev/pts || return
	for folder in proc sys dev; do
		mount -o rbind /$folder /new/$folder || return
	done
}
