#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The trace events of markers in a program (events/events.c): every byte of their records, what is printed of
# them, and each refused request.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests_of events 96

listing=$top/tools/testing/native/events/listing.txt
{ head -n 1 "$listing" && "$top/build/native/events" listing; } >"$work/listing"
check "what the kernel gets of each event" diff -u "$listing" "$work/listing"
tap_done
