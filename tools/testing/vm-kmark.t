#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
make -s -C "$top" pyz >&2
guest kmark 1 "$top/tools/kmark" "$HOME" "$top/build/kmark.pyz"
