#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each allocation that the modules make fails in turn (faults/each_nth.c), in a kernel with
# fault injection, KASAN, lockdep and kmemleak.
# shellcheck source=../guest/guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest/guest.sh"
not_on arm64 "build/native/each_nth is of x86-64"
use_kernel --vanilla --debug 6.1
make -s -C "$top" build/native/each_nth >&2 || exit 1
modules="$modules $top/build/native/each_nth"
# shellcheck disable=SC2034 # guest() reads it
timeout=7200
guest "$here/faults.sh" 2
