#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In which order files of the kernel modules call the kernel: what has to wait does wait, with the locks that
# it needs (order/*.c).
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests_of order_text 3
tests_of order_events 88
tests_of order_sessions 138
tap_done
