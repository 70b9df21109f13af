#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hammer on two emulated CPUs. TOGGLES of each gate: 2000 here, 20000 in the
# long form. Not across a page: QEMU's emulation with a thread for each CPU can
# stop for ever at an instruction there that another CPU has changed; that is for
# vm-hammer-single.t and, on silicon, hammer.t.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
# shellcheck disable=SC2034 # guest() reads them
accel=parallel timeout=$((600 + ${TOGGLES:-2000} / 50))
# What is code on this architecture, and generic for all others.
case ${ARCH-} in
arm64) gates="generic nop5" ;;
*) gates="generic imm nop5 flip pun $(awk -F '\t' 'NF > 1 && $1 != "gate" { print $1 }' "$top/bench/gates/gates.tsv")" ;;
esac
# shellcheck disable=SC2086 # a word a gate
guest hammer 2 "${TOGGLES:-2000}" 0 $gates
