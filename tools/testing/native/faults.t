#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each allocation and mapping of the core fails in turn (faults/faults.c): the command says so,
# everything is as before, nothing is lost.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
check "the program builds" make -s -C "$top" build/native/faults
out=$("$top/build/native/faults" 2>&1)
status=$?
while read -r line; do
	case $line in
	*'ok - '*) check "${line#*ok - }" same ok "${line%% *}" ;;
	esac
done <<END
$out
END
check "it ends with status 0" same 0 $status
check "a hundred failures and more, in 13 steps" same "13 enough" "$(printf '%s\n' "$out" | awk '
	/ok - / { steps++ }
	/^# [0-9]+ failures/ { all = $2 }
	END { print steps, all < 100 ? all : "enough" }')"
printf '%s\n' "$out" | grep '^#'
tap_done
