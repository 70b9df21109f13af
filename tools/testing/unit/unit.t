#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The Python package of tools/kmark, piece by piece.
here=$(dirname "$(readlink -f "$0")")
tools=$(readlink -f "$here/../..")
venv=$("$tools/setup" --path python) || exit 1
export PYTHONPATH="$tools/lib" PYTHONPYCACHEPREFIX="$venv/pycache"
exec "$venv/bin/python" "$here/run.py"
