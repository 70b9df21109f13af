#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that are sent to kmark record listen, over the guest's own network.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
host_root=yes
guest stream 2 "$top" "$HOME"
