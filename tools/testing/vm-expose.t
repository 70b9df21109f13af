#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Markers as trace events without any "connect", in tracefs and in the tools of the
# distribution, which are those of the host's root.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest expose 2
