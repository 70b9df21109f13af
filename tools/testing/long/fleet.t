#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark fleet with a thousand reports: adding them takes at most 60 s, each ready question at most
# 1 s. Three minutes; run by name: prove -v tools/testing/long/fleet.t
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
tools=$(readlink -f "$here/../..")
venv=$("$tools/setup" --path fleet) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$tools/lib:$here/../host/fleet" PYTHONPYCACHEPREFIX="$venv/pycache"

check "1,000 reports checked and added in 60 s" "$venv/bin/python" "$here/fleet_thousand.py" "$work" add
printf '%s\n' "$tap_output"
check "each ready question in 1 s" "$venv/bin/python" "$here/fleet_thousand.py" "$work" questions
printf '%s\n' "$tap_output"
tap_done
