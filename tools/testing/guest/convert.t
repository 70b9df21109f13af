#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `kmark dev convert` converts the events of the distribution's kernel: the result compiles, and the trace
# events that the event probe makes of it have the fields of the kernel's own events, by their `format`
# files in a guest.
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${ARCH:-x86_64}" = x86_64 ] || { echo "1..0 # SKIP the events of this kernel are compared"; exit; }
release=$("$top/tools/vm/kernel-version") || exit 1
headers=/usr/src/linux-headers-${release%-amd64}-common
venv=$("$top/tools/setup" --path python) || exit 1
export PYTHONPATH="$top/tools/lib" PYTHONPYCACHEPREFIX="$venv/pycache"

bail() { echo "Bail out! $1"; tail -n 20 "$work/log" >&2; exit 1; }
count=$("$venv/bin/python" "$here/convert/module.py" "$headers" "$work") || bail "nothing is converted"
make -C "/lib/modules/$release/build" M="$work" modules >"$work/log" 2>&1 || bail "it does not compile"
echo "# $count events are compiled" >&2
timeout 300 "$top/tools/kmark" dev vm --add "$top/markers/markers.ko" --add "$top/probes/probe_event.ko" \
	--add "$work/converted.ko" -- "$here/convert/guest.sh" >"$work/out" 2>"$work/log" || bail "the guest fails"
"$venv/bin/python" "$here/convert/formats.py" "$work/out"
