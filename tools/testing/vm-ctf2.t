#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Traces with metadata in CTF 2, read by the babeltrace2 of Debian 13; the same packets in
# CTF 1.8, event by event.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "the babeltrace2 of Debian 13 is fetched for x86-64"
babeltrace=$("$top/tools/setup" --path babeltrace-2.1) || exit 1
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest ctf2 2 "$top" "$HOME" "$babeltrace/babeltrace2"
