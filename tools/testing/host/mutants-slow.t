#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All planted errors that need no guest, and another tenth of the others each day.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
out=$(mktemp)
trap 'rm -f "$out"' EXIT

planted() {
	"$here/mutants/run" "$@" >"$out"
	status=$?
	grep -E '^SURVIVED|though it is listed' "$out"
	return "$status"
}
check "those that need no guest" planted --no-guests
sed 's/^/# /' "$out"
check "a tenth of those that need a guest, by the day of the year" planted --tenth today --guests
sed 's/^/# /' "$out"
tap_done
