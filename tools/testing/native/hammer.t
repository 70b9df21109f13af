#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hammer on this machine's silicon, in its short form; `make hammer` is the
# long one.
top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")
exec "$top/build/native/hammer" --toggles "${TOGGLES:-5000}"
