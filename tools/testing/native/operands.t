#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Where arguments of sites without code are: operands/x86.c and operands/arm64.c, on any machine.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tests_of operands_x86 30
tests_of operands_arm64 19
tap_done
