#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark record export of recordings with foreign texts and with damage: export/test_*.py.
here=$(dirname "$(readlink -f "$0")")
tools=$(dirname "$(dirname "$here")")
"$tools/setup" export || exit 1
venv=$("$tools/setup" --path export) || exit 1
export PYTHONPATH="$tools/lib:$here/../unit" PYTHONPYCACHEPREFIX="$venv/pycache"
exec "$venv/bin/python" "$here/../unit/run.py" "$here/export"
