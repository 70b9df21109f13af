#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A guest in which autopkgtest runs debian/tests, with a folder of the host as its root. Prints what autopkgtest
# prints, whose exit status is that of this script.
#
# Arguments: the folder; the tree.
# shellcheck source=writable.sh
. /writable.sh
new_root "$1" && mkdir /new/tree && cp -r "/host$2/debian" /new/tree || exit
# Hide the kernel's own modules, none of which is needed: under emulation, depmod of dkms reads them for minutes.
mount -t tmpfs hidden "/new/lib/modules/$(uname -r)/kernel" || exit
exec chroot /new env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
	autopkgtest --no-built-binaries --ignore-restrictions=isolation-machine /tree -- null
