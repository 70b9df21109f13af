#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A recorder leaves an isolated CPU alone.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes append=isolcpus=1
guest defect-21 2 "$top" "$HOME"
