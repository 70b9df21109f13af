#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# One thread for both CPUs: vm-hammer-single.t says why.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads it
accel=tcg-single
guest stress 2 "${SECONDS_OF_STRESS:-15}"
