#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Run the checkpatch of kernel $K (default 6.1) on the series for it: see checkpatch.py.
tools=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
venv=$("$tools/setup" --path python) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$tools/lib" PYTHONPYCACHEPREFIX="$venv/pycache"
"$venv/bin/python" "$tools/testing/long/checkpatch.py" "${K:-6.1}" "$work"
