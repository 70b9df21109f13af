#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Recording in parts, and below a limit of the disk.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest parts 2 "$top" "$HOME"
