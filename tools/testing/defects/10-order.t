#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The order of a transaction: in a program, compared with the model of the protocol; then
# in a kernel, as the function tracer sees it.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
replay=$("$here/model/run" --replay) && good=yes || good=no
printf '%s\n' "$replay" | sed 's/^/# /'
# shellcheck disable=SC2034 # guest() reads it
timeout=120
guest defect-10 2 "$good"
