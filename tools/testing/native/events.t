#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The trace events of markers in a program (events/events.c): every byte of their records, what is printed of
# them, and each refused request.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests_of events 79
tap_done
