# SPDX-License-Identifier: GPL-2.0-only
"""Calls main() of a module below this file's folder: start.py MODULE ARGUMENT...

Run with python3 -I, which imports nothing from the current folder, from that of a script, or from what
the environment names."""

import os
import sys
from importlib import import_module

sys.path.append(os.path.dirname(os.path.realpath(__file__)))
raise SystemExit(import_module(sys.argv.pop(1)).main())
