#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hammer on the kernel's own static keys. QEMU's emulation with a thread for
# each CPU runs stale code after them, and the kernel dies of it: one thread for
# all, which is slow. TOGGLES (default 2000).
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
accel=tcg-single
guest hammer 2 "${TOGGLES:-2000}" key
