#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recorder through its files (recorder.sh), in a kernel with KASAN, lockdep and kmemleak, or in KERNEL.
KERNEL=${KERNEL-"--vanilla --debug 6.1"}
# shellcheck source=../guest/guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest/guest.sh"
guest "$here/recorder.sh" 2
