#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Markers as trace events without any "connect", in tracefs and in the tools of the
# distribution, which are those of the host's root. DEBUG=1: without the tools, in a kernel with KASAN,
# lockdep and the like; it takes the locks of markers.ko inside the kernel's event_mutex, and reads
# names from modules that go.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
wants_debug_kernel
# shellcheck disable=SC2034 # guest() reads it
[ "${DEBUG:-}" ] || host_root=yes
guest expose 2
