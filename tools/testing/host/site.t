#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The pages as a site (make docs): built without a warning, whole, without the network, and as
# wide as a telephone; what is found in spoilt pages and in a spoilt site; and the picture of
# recording.md, which is that of the stored run.
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
venv=$("$here/../../setup" --path python) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPYCACHEPREFIX="$venv/pycache"
cd "$top" || exit 1

# shellcheck disable=SC2317 # check calls it
look() {
	"$venv/bin/python" "$here/page/site.py" "$work/html" 2>&1
}

# shellcheck disable=SC2317 # check calls it
build() {
	make -s docs TREE="$1" DOCS="$2" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
}

# spoil FILE FROM TO: the first FROM of a file becomes TO.
spoil() {
	"$venv/bin/python" -P - "$@" <<'END'
import re, sys
from pathlib import Path
path, old, new = Path(sys.argv[1]), *sys.argv[2:]
text, count = re.subn(old, new, path.read_text(), count=1, flags=re.DOTALL)
assert count == 1, old
path.write_text(text)
END
}

check "the site is built without a warning" build . "$work/html"
check "nothing is wrong with it" same "" "$(look)"
for place in Documentation/glossary.html Documentation/ABI/debugfs-markers.html Documentation/examples/hello.html; do
	check "it has $place" test -s "$work/html/$place"
done
for name in KMARK marker_probe_register marker_gate_arch; do
	check "the kernel-doc of $name is there" grep -q "id=\"c\.$name\"" "$work/html/Documentation/api.html"
done

# Spoilt pages: each mistake is named by the page that has it.
mkdir "$work/tree"
git ls-files -co --exclude-standard '*.md' Documentation 'markers/*.h' bench/loops/shapes.list bench/peers/peers.list |
	tar -cf - -T - | tar -xf - -C "$work/tree"
spoil "$work/tree/Documentation/tracing.md" '\n## ' '\nSee [that](no-such-page.md).\n\n## '
spoil "$work/tree/Documentation/install.md" '\n## ' '\nSee [that](glossary.md#no-such-place).\n\n## '
spoil "$work/tree/README.md" ', \[many machines\]\([^)]*\)' ''
spoil "$work/tree/markers/marker_probe.h" 'int marker_probe_register\(' 'struct no_such *marker_probe_register('
check "spoilt pages are not accepted" same 1 "$(build "$work/tree" "$work/spoilt" >/dev/null; echo $?)"
check "a link to a page that is not there is found" holds "$(grep tracing.md "$work/log")" "no-such-page"
check "a link to a place that is not there is found" holds "$(grep install.md "$work/log")" "no-such-place"
check "a page that README.md does not name is found" holds "$(grep fleet.md "$work/log")" "toctree"
check "kernel-doc that names what is not there is found" holds "$(grep api.rst "$work/log")" "no_such"
sed -i 's,^/\*\*$,/*,' "$work/tree/markers/marker.h"
check "a header without kernel-doc is not accepted" same 1 "$(build "$work/tree" "$work/spoilt" >/dev/null; echo $?)"
check "it is named" holds "$(cat "$work/log")" "markers/marker.h: kernel-doc finds no description"

# A spoilt site.
spoil "$work/html/SECURITY.html" '</h1>' '</h1><div style="width: 900px">wide</div>'
spoil "$work/html/CHANGELOG.html" '</h1>' '</h1><img src="absent.png">'
spoil "$work/html/CONTRIBUTING.html" '</h1>' '</h1><script src="https://example.org/x.js"></script>'
spoil "$work/html/Documentation/methods.html" '</h1>' '</h1><a href="../absent.html">x</a><a href="fleet.html#absent">x</a>'
look >"$work/found"
check "a page that is too wide for a telephone is found" holds "$(cat "$work/found")" "SECURITY.html: it is 9"
check "a picture that is not there is found" holds "$(cat "$work/found")" "absent.png is not drawn"
check "what would be fetched is found" holds "$(cat "$work/found")" "it would fetch https://example.org/x.js"
check "a link that leads to no page is found" holds "$(cat "$work/found")" "leads to ../absent.html, which"
check "a link that leads to no place is found" holds "$(cat "$work/found")" "leads to fleet.html#absent, a place"

check "kmark draws the picture of recording.md" \
	tools/kmark report Documentation/results/vm.json.xz --svg "$work/plots"
check "it is that of the stored run" cmp "$work/plots/vm-event-added.svg" Documentation/event.svg
check "it is small" test "$(stat -c %s Documentation/event.svg)" -le 60000

tap_done
