#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "sites without code are generic on arm64"
guest kprobe-sites 2
