#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A guest in which systemd boots a folder of the host, with markers.service enabled, sees the status of the
# service and shuts down. Prints what install.t reads: the output of `systemctl status`, and "saved" for a
# recording that has the event.
#
# Arguments: the folder; a module with the marker marked_level.
# shellcheck source=writable.sh
. /writable.sh
new_root "$1" || exit
cp "/host$1$2" /new/marked.ko
cat >/new/etc/markers.conf <<'END'
modules markers probe_count probe_ctf
connect marked_* count
record --size 64K *
save /var/log/markers
END
cat >/new/etc/systemd/system/see.service <<'END'
[Unit]
After=markers.service
Requires=markers.service
[Service]
Type=oneshot
StandardOutput=file:/said
ExecStart=/bin/sh -c 'insmod /marked.ko; echo 5 >/sys/module/marked/parameters/level; systemctl status markers'
ExecStopPost=systemctl --no-block poweroff
[Install]
WantedBy=multi-user.target
END
chroot /new systemctl enable markers see || exit
# As a container's first process, which ends when it is powered off.
chroot /new unshare --pid --mount --fork --mount-proc env container=guest /lib/systemd/systemd --log-target=kmsg \
	--unit=multi-user.target
cat /new/said
grep -rl marked_level /new/var/log/markers >/dev/null && echo saved
