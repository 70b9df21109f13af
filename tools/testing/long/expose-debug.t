#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm-expose.t without the tools, on Linux 6.1 with KASAN and lockdep: it takes the locks of
# markers.ko inside the kernel's event_mutex, and reads names from modules that go.
# shellcheck source=../guest.sh
here=$(dirname "$(readlink -f "$0")")
. "$here/../guest.sh"
on_debug_kernel
guest expose 2 debug
