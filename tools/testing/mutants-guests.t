#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Another tenth of the planted errors that need a guest each day. The others: mutants.t.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
out=$(mktemp)
trap 'rm -f "$out"' EXIT

planted() {
	"$here/mutants/run" --tenth today --guests >"$out"
	status=$?
	grep -E '^SURVIVED|though it is listed' "$out"
	return "$status"
}
check "a tenth of those that need a guest, by the day of the year" planted
sed 's/^/# /' "$out"
tap_done
