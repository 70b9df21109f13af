#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Random texts are written to each file. WRITES to each: 40 here, 100000 in the long form, and
# there EVENT_WRITES to those that the kernel has for each event, as these wait; SEED makes
# others, and FILES=PATTERN writes to those alone. DEBUG=1: in a kernel with KASAN, lockdep and the like.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "build/native/writes is of x86-64"
wants_debug_kernel
make -s -C "$top" build/native/writes >&2 || exit 1
choose_modules
# shellcheck disable=SC2034 # guest() reads it
timeout=$((1200 + ${WRITES:-40} / 10))
modules="$modules $top/build/native/writes"
guest writes 2 "${SEED:-1}" "${WRITES:-40}" "${EVENT_WRITES:-${WRITES:-40}}" "${FILES:-*}"
