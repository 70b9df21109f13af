#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The order of a transaction: by stand-ins for text, in a program; then in a
# kernel, as the function tracer sees it.
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -D_GNU_SOURCE -I"$top/markers/env/user" -I"$top/markers" -O1 -Wall -Werror -o "$work/order" \
	"$here/defects/10-order.c" "$top/markers/patch.c" && "$work/order" >"$work/out"
sed 's/^/# /' "$work/out"
# shellcheck disable=SC2034 # guest() reads it
timeout=120
guest defect-10 2 "$(grep -c '^ok' "$work/out") of 4"
