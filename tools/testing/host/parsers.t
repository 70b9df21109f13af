#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The parsers of kmark, given damaged documents: parsers/parsers.py says how; --long: for minutes.
here=$(dirname "$(readlink -f "$0")")
tools=$(dirname "$(dirname "$here")")
venv=$("$tools/setup" --path check) || exit 1
export PYTHONPATH="$tools/lib:$here/../unit" PYTHONPYCACHEPREFIX="$venv/pycache"
exec "$venv/bin/python" "$here/parsers/parsers.py" "$@"
