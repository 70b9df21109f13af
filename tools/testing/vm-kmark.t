#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
make -s -C "$top" pyz >&2
# Where another user can read it, whoever owns this tree.
readable=$(mktemp -d) || exit 1
trap 'rm -rf "$readable"' EXIT
chmod 755 "$readable"
cp "$top/build/kmark.pyz" "$readable"
guest kmark 1 "$top/tools/kmark" "$HOME" "$readable/kmark.pyz"
