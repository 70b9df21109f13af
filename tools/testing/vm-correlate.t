#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A trace of the kernel and one of LTTng-UST, recorded at the same time in one guest, are on one
# time line.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "babeltrace2 and LTTng of this machine do not run on arm64"
make -s -C "$top" build/native/pairs >&2 || exit 1
# shellcheck disable=SC2034 # guest() reads it
host_root=yes append=tsc=reliable
guest correlate 2 "$top" "$HOME"
