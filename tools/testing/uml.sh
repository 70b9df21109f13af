# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For suites of User-Mode Linux in $here: all is skipped where kmark says that it does not run.
# shellcheck disable=SC2154 # the suite sets it
venv=$("$here/../setup" --path python) || exit 1
why=$(PYTHONPATH="$here/../lib" PYTHONPYCACHEPREFIX="$venv/pycache" "$venv/bin/python" -c '
from pathlib import Path
from kmark.guest import uml
print(uml.why_not(Path("/proc/cpuinfo").read_text()))') || exit 1
if [ "$why" ]; then
	echo "1..0 # SKIP $why"
	exit
fi
