#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on x86_64 "a call reaches all text on x86-64"
guest far-call 1
