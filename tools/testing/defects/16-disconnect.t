#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Another user disconnects the recorder's markers, or it does so twice.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# shellcheck disable=SC2034 # guest() reads them
host_root=yes
guest defect-16 2 "$top" "$HOME"
