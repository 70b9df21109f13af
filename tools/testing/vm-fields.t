#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# MARK_FIELDS(): the same events in trace-cmd, perf, bpftrace and babeltrace2, as the
# distribution has them, from the host's root, and as a trace of Perfetto, value by value.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
"$top/tools/setup" export || exit 1
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest fields 1 "$top" "$HOME" "$("$top/tools/setup" --path export)/bin/python"
