#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The context that events are recorded with, held against trace-cmd and perf, and
# recording only events that match a condition.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
make -s -C "$top" "$native/deep" >&2 || exit 1
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest context 2 "$top" "$HOME" "$top/$native/deep"
