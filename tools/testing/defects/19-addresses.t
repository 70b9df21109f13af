#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a trace shows of the kernel's addresses, and to whom.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes
guest defect-19 2 "$top" "$HOME"
