#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A latency of a marker to itself, and markers called as files of tracefs are.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
guest defect-20 2
