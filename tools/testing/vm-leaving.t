#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is under way ends before what it needs goes. DEBUG=1: in a kernel with KASAN, lockdep and the like.
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
wants_debug_kernel
guest leaving 2
