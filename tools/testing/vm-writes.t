#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Random texts are written to each file. WRITES to each: 40 here, 100000 in the long form; SEED
# makes others, and FILES=PATTERN writes to those alone. DEBUG=1: in a kernel with KASAN, lockdep and the like.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "build/native/writes is of x86-64"
wants_debug_kernel
make -s -C "$top" build/native/writes >&2 || exit 1
choose_modules
# Most filters wait until no CPU reads the one before, if they are refused, too.
# shellcheck disable=SC2034 # guest() reads both
append=rcupdate.rcu_expedited=1 timeout=$((1200 + ${WRITES:-40} / 10))
modules="$modules $top/build/native/writes"
guest writes 2 "${SEED:-1}" "${WRITES:-40}" "${FILES:-*}"
