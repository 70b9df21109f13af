#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recorder asks for more memory than there is.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes append=maxcpus=1
guest defect-15 2 "$top" "$HOME"
