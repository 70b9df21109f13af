#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The columns that the programs of bench/timing print: each is computed again from the others, or by
# another clock.
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
venv=$("$top/tools/setup" --path python) || exit 1
make -s -C "$top" native kbest tsc >&2 || exit 1
gcc -O2 -std=gnu11 -Wall -Wextra -Werror -o "$work/rate" "$here/columns/rate.c" || exit 1
PYTHONPATH=$top/tools/lib "$venv/bin/python" "$here/columns/columns.py" "$top/build" "$("$work/rate")"
