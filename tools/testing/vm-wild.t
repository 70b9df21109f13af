#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules with section tables that are wrong, each in one way (spoil.py).
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
types=$(make -s -C "$top" list-modules | tr ' ' '\n' | grep marker_types.ko)
"$("$top/tools/setup" --path python)/bin/python" "$here/spoil.py" "$top/$types" "$work" || exit 1
modules="$(make -s -C "$top" list-modules | sed "s|[^ ]*|$top/&|g") $(echo "$work"/*.ko)"
guest wild 2
