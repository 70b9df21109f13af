#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# pr_debug() sites of the running kernel as markers: of a module of the tests, of usbcore as the
# distribution has it, and of the kernel itself.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
not_on arm64 "debug sites are found on x86-64 only"
# Without it printk() hides the addresses that events have.
append=no_hash_pointers
[ "${KERNEL:-}" ] || drivers="usbcore udc-core dummy_hcd g_ether"
guest debug-sites 2
