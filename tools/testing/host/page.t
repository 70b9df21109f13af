#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# report.html, the plots and the pages of compare and history, as headless Chromium shows them:
# wide and narrow, on a light and a dark background, and on paper; and what page/look.py finds in
# a spoilt page.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
kmark=$here/../../kmark
venv=$("$here/../../setup" --path python) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$here/../../lib:$here/../unit" PYTHONPYCACHEPREFIX="$venv/pycache"

# look PAGE WIDTH SCHEME: what is wrong with a page.
look() {
	"$venv/bin/python" "$here/page/look.py" "$@" 2>&1
}

# spoil FROM TO: a copy of the page with the first FROM made TO.
spoil() {
	"$venv/bin/python" -P - "$work/report.html" "$work/spoilt.html" "$1" "$2" <<'END'
import re, sys
from pathlib import Path
page, spoilt, old, new = sys.argv[1:]
text, count = re.subn(old, new, Path(page).read_text(), count=1, flags=re.DOTALL)
assert count == 1, old
Path(spoilt).write_text(text)
END
}

"$venv/bin/python" -P - "$work" <<'END'
import sys
from pathlib import Path
import test_report
from kmark.report import report
Path(sys.argv[1], "report.json").write_text(report.dump(test_report.sample_report()))
Path(sys.argv[1], "raw.tsv").write_text(test_report.sample_raw())
END
check "report --html --svg makes page and plots" "$kmark" report "$work" --html "$work/report.html" --svg "$work/plots"
for plot in native-empty-added native-empty-layout native-empty-distribution native-toggle vm-empty-added \
	vm-unrolled8-added vm-toggle 2006-breakeven; do
	check "there is $plot.svg" grep -q '</svg>' "$work/plots/$plot.svg"
	check "$plot is in the page" grep -q "id=\"plot-$plot\"" "$work/report.html"
done
check "no plot of samples that are all the same" test ! -e "$work/plots/vm-empty-layout.svg"
check "no axis has both units" same "" "$(grep -l 'core cycles' "$work"/plots/vm-*.svg; \
	grep -l 'instructions' "$work"/plots/native-*.svg)"
check "plots look the same although their SVG is smaller" same "" \
	"$("$venv/bin/python" "$here/page/same.py" "$work" 2>&1)"
for way in "1280 light" "1280 dark" "390 light" "800 print"; do
	# shellcheck disable=SC2086 # two words
	check "nothing is wrong with the page, $way" same "" "$(look "$work/report.html" $way)"
done

spoil '(id="plot-native-empty-added".*?</h4>\s*)<svg.*?</svg>' '\1<svg viewBox="0 0 460 400"></svg>'
check "an empty panel is found" holds "$(look "$work/spoilt.html" 1280 light)" \
	"plot-native-empty-added: it is empty"
spoil '<figcaption>' '<figcaption style="white-space: nowrap">wide wide wide wide wide wide wide wide wide wide
	wide wide wide wide wide wide wide wide wide wide wide wide wide wide '
check "a panel that overflows is found" holds "$(look "$work/spoilt.html" 1280 light)" \
	"pixels wide where there are"
spoil '(<svg[^>]* viewBox="0 0 )\d+' '\g<1>250'
check "a text outside its plot is found" holds "$(look "$work/spoilt.html" 1280 light)" \
	"leaves its plot"
spoil '<h1>' '<h1><img src="https://example.org/x.png">'
check "a page that needs the network is found" holds "$(look "$work/spoilt.html" 1280 light)" \
	"would fetch"
spoil 'a.ariaSort === "ascending"|head.ariaSort === "ascending"' 'head.ariaSort === "never"'
check "a table that does not sort is found" holds "$(look "$work/spoilt.html" 1280 light)" \
	"a click does not sort it"
spoil '<details class="section" id="machine"' '<details open id="machine"'
check "a section that is not folded is found" holds "$(look "$work/spoilt.html" 1280 light)" \
	"the section machine is not folded"
spoil '@media \(max-width: 40rem\) \{.*?\n\}\n' ''
check "a table that scrolls sideways on a telephone is found" holds "$(look "$work/spoilt.html" 390 light)" \
	"pixels wide where there are"
spoil '<h1>' '<h1 style="width: 400px">'
check "a page that is too wide for a telephone is found" holds "$(look "$work/spoilt.html" 390 light)" \
	"the page is"
spoil '@media print \{.*?\n\}\n' ''
check "a page that is not made for paper is found" holds "$(look "$work/spoilt.html" 800 print)" \
	"on paper: Machine, which is folded"
sheets=$(printf '<p style="break-before: page">x</p>%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)
spoil '</section>' "$sheets</section>"
check "more than twelve sheets of paper are found" holds "$(look "$work/spoilt.html" 800 print)" "on paper: 13 sheets"
spoil '<h1>' '<h1 style="width: 900px">'
check "what leaves the paper is found" holds "$(look "$work/spoilt.html" 800 print)" \
	"on paper: 9"
cp "$work/report.html" "$work/spoilt.html"
"$venv/bin/python" -P -c 'import sys; print("<!--" + "x" * 1000000 + "-->", file=open(sys.argv[1], "a"))' "$work/spoilt.html"
check "a page of over 1 MB is found" holds "$(look "$work/spoilt.html" 800 print)" "bytes"

# A report of one environment, without samples.
mkdir "$work/one"
"$venv/bin/python" -P - "$work" <<'END'
import sys
from pathlib import Path
import test_report
from kmark.analysis import raw
from kmark.report import report
(document,) = raw.parse(test_report.vm({"imm": 3}), "here")
made = report.build([document], {"cpu": "x"}, "2026-01-02T03:04:05+0000")
Path(sys.argv[1], "one/report.json").write_text(report.dump(made))
END
check "a report of one environment has a page, too" \
	"$kmark" report "$work/one" --html "$work/one/report.html"
check "nothing is wrong with the page of one environment" same "" "$(look "$work/one/report.html" 1280 light)"

# A whole run, with as many samples as it has.
results=$here/../../../Documentation/results
check "a report of full size is made" env PYTHONPATH="$PYTHONPATH:$here/fleet" \
	"$venv/bin/python" "$here/page/full_size.py" "$results/one.json.xz" "$work/full"
check "it has a page" "$kmark" report "$work/full" --html "$work/full.html"
check "the page begins with a picture of both states" same 2 "$(grep -c 'id="plot-choice-' "$work/full.html")"
check "nothing is wrong with the page of full size on a telephone" same "" "$(look "$work/full.html" 390 light)"
check "the page of full size is no more than 12 sheets of paper" same "" "$(look "$work/full.html" 800 print)"
check "nothing is wrong with the page of full size" same "" "$(look "$work/full.html" 1280 light)"

# Three reports side by side, and all that are stored in the course of time.
compare() {
	"$kmark" compare "$results/peers-6.1.json.xz" "$results/peers-6.12.json.xz" "$results/peers-7.2.json.xz" "$@"
}
compare --html "$work/compare.html" --svg "$work/compared" >"$work/log" 2>&1
check "history has a page" "$kmark" report history "$results" --html "$work/history.html"
for page in compare history; do
	for way in "1280 light" "390 dark" "800 print"; do
		# shellcheck disable=SC2086 # two words
		check "nothing is wrong with the page of $page, $way" same "" "$(look "$work/$page.html" $way)"
	done
done
sed 's/ class="long"//g' "$work/compare.html" >"$work/spoilt.html"
check "a table without room is found" holds "$(look "$work/spoilt.html" 1280 light)" "sites enabled: "

tap_done
