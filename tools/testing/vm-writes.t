#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Random texts are written to each file in a kernel with KASAN, lockdep and the like. WRITES
# to each: 40 here, 100000 in the long form; SEED makes others.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "Linux 6.1 with KASAN is built for x86-64 only"
on_debug_kernel
make -s -C "$top" build/native/writes >&2 || exit 1
modules="$modules $top/build/native/writes"
guest writes 2 "${SEED:-1}" "${WRITES:-40}"
