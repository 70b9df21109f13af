#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules with section tables that are wrong, each in one way (spoil.py).
# shellcheck source=guest.sh
. "$(dirname "$(readlink -f "$0")")/guest.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
choose_modules
types=$(echo "$modules" | tr ' ' '\n' | grep '/marker_types\.ko$')
"$("$top/tools/setup" --path python)/bin/python" "$here/spoil.py" "$types" "$work" || exit 1
modules="$modules $(echo "$work"/*.ko)"
guest wild 2
