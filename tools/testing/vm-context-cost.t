#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What each item of the context adds to an event, in instructions.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "the counter of arm64 ticks every 16 instructions under icount"
# shellcheck disable=SC2034 # guest() reads it
icount=yes
guest context-cost 1
