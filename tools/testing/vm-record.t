#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Recording into a trace, and reading it with babeltrace2. Two CPUs write at full
# rate for MS milliseconds: 200 here, 10000 in the long form.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes accel=parallel
guest record 2 "$top" "$HOME" "${MS:-200}"
