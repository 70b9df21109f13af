#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each patch for kernel $K (default 6.1) builds alone, under several sets of options, by two
# compilers, for four architectures, without a warning: each_patch.py says how. An hour and
# more; with names of sets, or of their groups gcc, clang and architectures, as arguments, these only.
# PATCHES="batching": these sets of patches only.
tools=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
"$tools/setup" kernel compilers || exit 1
venv=$("$tools/setup" --path python) || exit 1
# Beside the kernels, where there is room: about 8 GB.
cache=$("$tools/setup" --path cache) || exit 1
mkdir -p "$cache/linux"
work=$(mktemp -d "$cache/linux/each-patch.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$tools/lib" PYTHONPYCACHEPREFIX="$venv/pycache"
"$venv/bin/python" "$tools/testing/long/each_patch.py" "${K:-6.1}" "$work" "$@"
