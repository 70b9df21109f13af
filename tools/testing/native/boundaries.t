#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The ends of what the core accepts: boundaries/boundaries.c.
top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")
make -s -C "$top" build/native/boundaries >&2 || exit 1
exec "$top/build/native/boundaries"
