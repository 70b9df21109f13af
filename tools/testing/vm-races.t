#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Markers beside what else changes code at the same time, SECONDS_OF_RACE (default: 8) each.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
seconds=${SECONDS_OF_RACE:-8}
# shellcheck disable=SC2034 # guest() reads it
timeout=$((seconds * 20 + 600))
guest races 4 "$seconds"
