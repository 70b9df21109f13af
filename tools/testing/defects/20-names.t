#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A latency of a marker to itself, and markers with names of tracefs files.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
guest defect-20 2
