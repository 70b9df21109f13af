#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What happens when a registration or a mapping is refused (marker_refuse.ko).
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
guest refused 2
