#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hammer on two emulated CPUs; TOGGLES of each gate (default 20000).
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
guest hammer 2 "${TOGGLES:-20000}" generic imm nop5 flip pun nop2 jcc jcc8 flip8 call nop14 nop23
