# SPDX-License-Identifier: GPL-2.0-only
"""Starts a module of the package beside this file: start.py MODULE ARGUMENT...

Run with python3 -I, which imports nothing from the current folder, from that of a script, or from what
the environment names."""

import os
import runpy
import sys

sys.path.append(os.path.dirname(os.path.realpath(__file__)))
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
