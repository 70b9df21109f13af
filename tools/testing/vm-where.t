#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a guest is: its kernel, CPUs, preemption, mitigations, and the emulator. Each of WANTED, with
# commas between, has to be in that.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
case ${ARCH:-x86_64} in
arm64) emulator=qemu-system-aarch64 ;;
*) emulator=qemu-system-x86_64 ;;
esac
version=$($emulator --version | sed -n '1s/.*version \([0-9.]*\).*/QEMU \1/p')
guest where 2 "${SMP:-2}" "$version" "${WANTED:-}"
