#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Unit tests that take seconds each, because they read thousands of damaged documents or compute
# hundreds of simulated reports: simulated/test_*.py.
here=$(dirname "$(readlink -f "$0")")
tools=$(readlink -f "$here/../..")
venv=$("$tools/setup" --path python) || exit 1
export PYTHONPATH="$tools/lib:$here/../unit" PYTHONPYCACHEPREFIX="$venv/pycache"
exec "$venv/bin/python" "$here/../unit/run.py" "$here/simulated"
