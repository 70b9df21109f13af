#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Programs of this project, started in a folder of another user, do not run files that lie there.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
tools=$(dirname "$(dirname "$here")")
top=$(dirname "$tools")
python=$("$tools/setup" --path python)/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Modules of the standard library and of this project that any Python program may import early, and
# programs and files of the shell.
mkdir -p "$work/hostile/kmark" "$work/hostile/json"
for name in kmark/__init__ kmark/__main__ kmark/cli json/__init__ argparse site sitecustomize usercustomize \
	runpy signal pathlib subprocess tempfile unittest zipfile zipapp venv ensurepip compileall re os \
	yaml jinja2 numpy run start tap; do
	echo "print(__file__, file=open('$work/witness', 'a'))" >"$work/hostile/$name.py"
done
for name in tap.sh packages.sh dirname readlink python3 setup; do
	printf '#!/bin/sh\necho %s >>%s/witness\n' "$name" "$work" >"$work/hostile/$name"
	chmod +x "$work/hostile/$name"
done

# harmless COMMAND...: it runs in that folder, and nothing of that.
harmless() {
	rm -f "$work/witness"
	(cd "$work/hostile" && "$@" >"$work/out" 2>&1 </dev/null)
	status=$?
	cat "$work/out"
	[ "$status" = 0 ] && same "" "$(cat "$work/witness" 2>/dev/null)"
}
# The environment of a user who has an empty part in PYTHONPATH, which is the current folder.
empty="env PYTHONPATH=:"

# shellcheck disable=SC2086 # words
for before in "" "$empty"; do
	check "tools/kmark${before:+, $before}" harmless $before "$tools/kmark" help
	check "tools/kmark with packages${before:+, $before}" harmless $before "$tools/kmark" report \
		"$top/Documentation/results/one.json.xz"
done
"$python" -I "$tools/pyz.py" "$work/kmark.pyz"
check "kmark.pyz" harmless "$work/kmark.pyz" help
# shellcheck disable=SC2086
check "kmark.pyz, $empty" harmless $empty "$work/kmark.pyz" help

# The archive of kmark fleet pack, without the programs that measure.
PYTHONPATH="$tools/lib" "$python" -P - "$work/packed" <<'END'
import sys
from pathlib import Path
from kmark import cache
from kmark.bench import pack
folder = Path(sys.argv[1])
for path in pack.modules():
    place = folder / path.relative_to(cache.TOP)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(path.read_bytes())
(folder / "measure").write_text(pack.SCRIPT)
(folder / "measure").chmod(0o755)
END
check "measure of kmark fleet pack" harmless "$work/packed/measure" --help
# shellcheck disable=SC2086
check "measure of kmark fleet pack, $empty" harmless $empty "$work/packed/measure" --help

check "tools/setup" harmless "$tools/setup" --path python
check "tools/lint" harmless "$tools/lint" --help
# The steps of lint that run Python.
check "tools/lint imports" harmless "$tools/lint" imports
for suite in host/export native/shapes; do
	check "$suite.t" harmless "$here/../$suite.t"
done

# All others: Python puts the current folder first for -m, -c and a program on its standard input.
check "no program of the tree has Python look for modules in the current folder" same "" "$(
	cd "$top" && git ls-files -co --exclude-standard -- tools debian Makefile | grep -v '\.md$' |
		xargs grep -nE '(python3?|\$python"?|bin/python"?) +-( |[cm] |$)' 2>/dev/null)"
check "no shell script reads a file by a name without a folder" same "" "$(
	cd "$top" && git ls-files -co --exclude-standard -- tools debian | grep -E '\.(sh|t)$|/(setup|lint|kmark|run)$' |
		xargs grep -nE '^[[:space:]]*(\.|source) [a-z][a-z.-]*$' 2>/dev/null)"
check "no program takes a temporary file by a name that others know" same "" "$(
	cd "$top" && git ls-files -co --exclude-standard -- tools | grep -vE '\.md$|/guest/|/vm/|testing/host/entry-points.t' |
		xargs grep -nE 'mktemp -u|mktemp\(\)|delete=False|tempfile\.mktemp|[^a-z]/(var/)?tmp/[^"]*\$\$' 2>/dev/null)"

# A cache that another user owns, whose compiled files and programs would run.
mkdir -p "$work/cache/kmark"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$work/cache/kmark"
	check "kmark compiles nothing into the cache of another user" harmless env XDG_CACHE_HOME="$work/cache" "$tools/kmark" help
	check "and takes nothing from it" same "" "$(ls "$work/cache/kmark")"
	said=$(XDG_CACHE_HOME="$work/cache" "$tools/setup" --path python 2>&1)
	check "setup refuses the cache of another user" holds "$? $said" "1 setup: $work/cache/kmark belongs to another user"
else
	skip "the cache of another user" "only root can make one"
fi
tap_done
