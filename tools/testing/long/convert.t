#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All that `kmark convert` makes of the events of Linux $K (default 6.1) compiles. Long.
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
"$top/tools/setup" kernel || exit 1
venv=$("$top/tools/setup" --path python) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$top/tools/lib" PYTHONPYCACHEPREFIX="$venv/pycache"
"$venv/bin/python" "$here/convert.py" "${K:-6.1}" "$work"
