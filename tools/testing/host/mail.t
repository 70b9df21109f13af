#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark report mail, as git reads it: mailsplit and mailinfo.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
kmark=$here/../../kmark
venv=$("$here/../../setup" --path python) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$here/../../lib:$here/../unit" PYTHONPYCACHEPREFIX="$venv/pycache"

"$venv/bin/python" -P - "$work" <<'END'
import json, sys
from pathlib import Path
import test_report
from kmark.report import schema
made = schema.plain(test_report.sample_report())
made["environment"]["host"]["cpu"] = "Core \N{MICRO SIGN}1 (family 26)"
made["environment"]["host"]["a-fact-whose-name-has-no-room-in-its-column"] = "x" * 200
made["environment"]["runs"][0]["compiler"] = "https://example.org/" + "x" * 200
made["cases"][1]["variant"] = "a-variant-with-a-name-" + "x" * 80
for name in "median", "lo", "hi":
    made["cases"][2]["added"][name] *= 1e12
    made["cases"][2]["per_loop"][name] = 10 + made["cases"][2]["added"][name]
Path(sys.argv[1], "report.json").write_text(json.dumps(made))
END
cat >"$work/cover" <<'END'
Hello,

this line of the cover is longer than what a mail to a kernel list may have, and so it has to be wrapped.
From here on things are hard.
--- this is no patch
diff --git a/x b/x
> A quoted line that is longer than what a mail to a kernel list may have, and has to keep its mark.
https://example.org/an/address/that/has/no/room/in/seventy/two/columns/and/is/broken/therefore

| a table | that stays |
END
"$kmark" report "$work" >"$work/report.txt"

check "a mail is made" "$kmark" report mail "$work" -o "$work/mbox" --from 'José <jose@example.org>' \
	--recipient list@example.org --recipient other@example.org --cc third@example.org --cover "$work/cover"
mkdir "$work/split"
check "git splits it into one mail" same 1 "$(git mailsplit -o"$work/split" "$work/mbox")"
cd "$work" || exit 1
check "git reads it" sh -c 'git mailinfo msg patch <split/0001 >info'
check "the subject is right" grep -qx 'Subject: Cost of markers, disabled and enabled: Core µ1, 2026-01-02' info
check "the author is right" grep -qx 'Email: jose@example.org' info
check "no patch is found in it" sh -c "test -e patch && ! test -s patch"
check "To has both recipients" grep -qx 'To: list@example.org, other@example.org' split/0001
check "Cc is right" grep -qx 'Cc: third@example.org' split/0001
check "the mail is plain text in UTF-8" grep -qix 'content-type: text/plain; charset="utf-8"' split/0001
check "the mail is not quoted-printable" grep -qix 'content-transfer-encoding: 8bit' split/0001
check "the mail is not flowed" sh -c '! grep -qi format=flowed split/0001'
check "the attachment is the whole report" same "$(cat report.txt)" \
	"$(sed -n '/^Cost of markers, disabled and enabled$/,$p' msg)"
check "the text above it has at most 80 lines" test "$(sed '/^Cost of markers, disabled and enabled$/,$d' msg | wc -l)" -le 80
check "it is the summary" grep -q '^Cost of a site  *disabled  *enabled$' msg
check "it names the attachment" grep -qx 'Full report: attached, report.txt' msg
check "no line over 72 columns" sh -c 'test "$(LC_ALL=C.UTF-8 wc -L <msg)" -le 72 && grep -q "x\{50\}" msg'
check "no line over 72 columns in the heads" sh -c 'test "$(sed "/^$/q" split/0001 | LC_ALL=C.UTF-8 wc -L)" -le 72'
check "the cover comes before the report" same "Hello," "$(head -n 1 msg)"
check "the cover is wrapped" grep -qx 'this line of the cover is longer than what a mail to a kernel list may' msg
check "a quote is wrapped with its mark" grep -qx '> .*has to keep its mark.' msg
check "a table in the cover is not wrapped" grep -qx '| a table | that stays |' msg
rm split/0001
"$kmark" report mail "$work" -o "$work/mbox" --from x@example.org --link https://example.org/report.html
check "with a link nothing is attached" same "1 0" \
	"$(grep -cx 'Full report: https://example.org/report.html' mbox) $(grep -c report.txt mbox)"
printf 'From X to Y.\n\nmore\n' >"$work/cover"
"$kmark" report mail "$work" -o "$work/mbox" --from x@example.org --cover "$work/cover"
check "a line that begins with From is no mail of its own" same 1 "$(git mailsplit -o"$work/split" "$work/mbox")"
check "a line that begins with From is escaped" grep -qx '>From X to Y.' "$work/mbox"
GIT_CONFIG_GLOBAL=$work/none EMAIL='Git Name <git@example.org>' GIT_AUTHOR_NAME='Git Name' \
	GIT_AUTHOR_EMAIL=git@example.org "$kmark" report mail "$work" >"$work/mbox"
check "without --from the author is that of git" grep -qx 'From: Git Name <git@example.org>' "$work/mbox"
"$kmark" report mail "$work" --from nobody >"$work/out" 2>"$work/err"
check "a word that is not an address is status 2" same "2 kmark: mail: 'nobody' is not an address" "$? $(head -n 1 "$work/err")"
"$kmark" report mail "$work" --from x@example.org --cover "$work/absent" 2>"$work/err"
check "a missing cover is status 1" same "1 kmark: $work/absent: No such file or directory" "$? $(cat "$work/err")"
printf 'a\n\377' >"$work/cover"
"$kmark" report mail "$work" --from x@example.org --cover "$work/cover" 2>"$work/err"
check "a cover that is no text is named" same "1 kmark: $work/cover:2: not UTF-8: invalid start byte" "$? $(cat "$work/err")"

tap_done
