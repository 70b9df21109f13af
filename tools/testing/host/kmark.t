#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tools/kmark from outside: verbs, exit statuses, messages; and tools/setup.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
kmark=$here/../../kmark
setup=$here/../../setup
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run ARGUMENT...: leaves $status, $output and $error.
run() {
	output=$("$kmark" "$@" 2>"$work/err")
	status=$?
	error=$(cat "$work/err")
}

# Verbs of kmark, as the tool itself lists them.
verbs=$("$kmark" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
check "help lists the verbs" holds "$verbs" disconnect
for verb in $verbs; do
	run help "$verb"
	check "help $verb ends with an example" holds "$(echo "$output" | tail -n 3)" "example: kmark $verb"
	run $verb --help
	check "so does $verb --help" holds "$(echo "$output" | tail -n 3)" "example: kmark $verb"
done
run --version
check "--version is that of the file VERSION" same "0 kmark $(cat "$here/../../../VERSION")" "$status ${output% (*}"
run vm --smp 2 -- true
check "an earlier spelling names the new one: status 2" same "2 kmark: there is no verb 'vm': use kmark dev vm" \
	"$status $error"
# Without that cache every call compiles the package anew, which takes seconds in a guest.
env KMARK_CACHE="$work/compiled" "$kmark" stat --help >/dev/null
check "kmark makes no cache" test ! -e "$work/compiled"
mkdir "$work/compiled"
env KMARK_CACHE="$work/compiled" "$kmark" stat --help >/dev/null
check "what Python compiles is kept in the cache" test "$(find "$work/compiled" -name 'cli.*.pyc' | grep -c .)" = 1
check "and none of it in the tree" same "" "$(find "$here/../../lib" -name __pycache__)"
run dev manual -o "$work/man"
for verb in $verbs; do
	check "$verb has a manual page" same "" "$(groff -man -ww -Tutf8 -z "$work/man/kmark-$verb.1" 2>&1)"
done
check "kmark(1) is well-formed" same "" "$(groff -man -ww -Tutf8 -z "$work/man/kmark.1" 2>&1)"
run
check "no verb is status 2" same "2 kmark: which verb: kmark help lists them" "$status $error"
run bench --list --env native
check "bench --list names every case of the program" same "0 $("$here/../../../build/native/bench" --list | sed 1d | wc -l)" \
	"$status $(echo "$output" | grep -cE '^  [a-z0-9-]+ +(baseline|gate|form|peer) ')"
check "bench --list names every row of the documents" same 44 "$(echo "$output" | grep -cE '^[ABCD][0-9]+ ')"
run record --stream localhost:no
check "a port that is none is status 2" holds "$status $error" "2 kmark: record: argument --stream: invalid"
run record listen -o "$work/err"
check "a file is no folder to listen into" holds "$status $error" "1 kmark: $work/err: File exists"
run bench --env moon
check "a wrong option is status 2" same 2 $status
run bench --env vm --kernel "$work"
check "a folder without a kernel is status 1" same "1 kmark: no kernel image under $work/boot" "$status $error"
run report "$work/absent"
check "a missing report is status 1" same 1 $status
check "the missing report is named in one line" same "kmark: $work/absent: No such file or directory" "$error"
echo '{"schema": "other/1"}' >"$work/other.json"
run report "$work/other.json"
check "what is not a report is status 1" same 1 $status
check "the file that is not a report is named" holds "$error" "other.json:1: not a kmark-report/2: $.schema: expected kmark-report/1 or kmark-report/2, found \"other/1\""

venv=$("$setup" --path python)
PYTHONPATH="$here/../../lib:$here/../unit" "$venv/bin/python" -P - "$work" <<'END'
import sys
from pathlib import Path
import test_report
from kmark.report import report, text
made = test_report.sample_report()
Path(sys.argv[1], "report.json").write_text(report.dump(made))
Path(sys.argv[1], "report.txt").write_text(text.render(made))
END
"$kmark" report "$work/report.json" >"$work/again.txt"
check "report.txt can be made again from report.json" cmp "$work/report.txt" "$work/again.txt"

run compare "$work" "$work/report.json"
check "a report does not differ from itself: status 0" same "0 " "$status $error"
check "no case is slower than itself" holds "$output" "    0 slower"
"$venv/bin/python" -P - "$work" <<'END'
import json, sys
from pathlib import Path
made = json.loads(Path(sys.argv[1], "report.json").read_text())
for name in "median", "lo", "hi":
    made["cases"][1]["added"][name] += 1
Path(sys.argv[1], "slower.json").write_text(json.dumps(made))
END
run compare "$work" "$work/slower.json"
check "a slower case is status 1" same "1 kmark: compare: 1 of 35 cases are slower in $work/slower.json" \
	"$status $error"
run compare "$work/slower.json" "$work"
check "a faster case is status 0" same "0 " "$status $error"
run compare --json "$work" "$work/slower.json"
check "--json is JSON with the same status" \
	same "1 kmark-compare/3 1" "$status $(echo "$output" | "$venv/bin/python" -P -c \
		'import json, sys; made = json.load(sys.stdin); print(made["schema"], made["comparisons"][0]["counts"]["slower"])')"
run compare "$work" "$work/report.json" "$work/slower.json" --html "$work/compare.html" --svg "$work/compare"
check "of three reports one with a slower case is status 1" same 1 $status
check "the report that is slower is named" holds "$error" "1 of 35 cases are slower in $work/slower.json"
check "of three reports each has a column" holds "$output" "variant             A        B           C"
check "the page of three reports has their plots" grep -q 'id="plot-vm-empty-compared"' "$work/compare.html"
check "and so has the folder" test -s "$work/compare/native-empty-compared.svg"
"$venv/bin/python" -P - "$work" <<'END'
import json, sys
from pathlib import Path
made = json.loads(Path(sys.argv[1], "report.json").read_text())
for case in made["cases"]:
    case["variant"] = "none" if case["variant"] == "none" else "other-" + case["variant"]
Path(sys.argv[1], "other-variants.json").write_text(json.dumps(made))
END
run compare "$work" "$work/other-variants.json"
check "reports without a common case are status 3" same 3 $status
check "and the message says so" holds "$error" "kmark: $work/other-variants.json: compare: no case can be compared"
run compare "$work" "$work" --margin -1
check "a margin below 0 is status 2" same 2 $status
run compare "$work/report.json" "$work/absent"
check "comparing with a missing report is not slower: status 2" same "2 kmark: $work/absent: No such file or directory" "$status $error"

mkdir -p "$work/results/one" "$work/results/two" "$work/empty"
cp "$work/report.json" "$work/results/one"
sed 's/"created": "2026-01-02/"created": "2026-01-03/' "$work/slower.json" >"$work/results/two/report.json"
run report history "$work/results" --variant flip --html "$work/history.html"
check "history is status 0" same 0 $status
check "history names what became slower" holds "$output" "2026-01-03T03:04 slower: native empty disabled generic"
check "history has a page" grep -q 'id="series"' "$work/history.html"
run report history "$work/empty"
check "a folder without reports is status 3" same "3 kmark: history: no report in $work/empty" "$status $error"
printf '{"schema": "kmark-report/2",\n"created": 1}' >"$work/results/two/report.json"
run report history "$work/results"
check "a damaged report is status 1" same 1 $status
check "it is named by file, line and reason" holds "$error" "$work/results/two/report.json:"

xz -k "$work/report.json"
run report "$work/report.json.xz"
check "a report is read from .xz" same "0 $(cat "$work/again.txt")" "$status $output"
run compare --agree 100 "$work" "$work/report.json.xz"
check "a report in .xz agrees with itself" same "0 " "$status $error"
echo "no xz" >"$work/broken.json.xz"
run report "$work/broken.json.xz"
check "what is not .xz is status 1" same "1 kmark: $work/broken.json.xz: not xz" "$status ${error%: *}"

run report lkml-2006
check "the slips of the mails are marked" same \
	"0 A3.nop5 A4.nop23 A4.nop5 A7.first A15" "$status $(echo "$output" | awk '$NF == "slip" { print $1 }' | xargs)"

run report rows "$here/../../../Documentation/results/one.json.xz"
check "every row of the documents has both figures and whether it is faithful" same "0 44 44 44 44" \
	"$status $(echo "$output" | awk '/^[A-D][0-9]+ /{r++} /^    see /{s++} /^    today /{t++} /^    repeats /{f++} END {print r, s, t, f}')"
check "the faithful rows are counted" same "$(echo "$output" | grep -c '^    repeats  *faithful$') of 44 rows are repeated faithfully" \
	"$(echo "$output" | tail -n 1)"
check "a row has the figure of the report" holds "$output" "imm-stack 6.0118 (+5.0105)"

printf '#marker\tsites\nsubsys_mark1\t4\n' >"$work/markers"
: >"$work/control"
run list --root "$work"
check "list" same "0 marker        sites
subsys_mark1  4" "$status $output"
run list --root "$work" --json
check "list --json" same '[{"marker":"subsys_mark1","sites":4}]' "$(echo "$output" | tr -d ' \n')"
# kind_of VERB...: the type of the JSON that the verb prints.
kind_of() {
	made=$("$kmark" "$@" --json) && echo "$made" | "$venv/bin/python" -P -c \
		'import json, sys; made = json.load(sys.stdin); print(type(made).__name__ if made else "nothing")'
}
check "tables are JSON for programs, too" same "dict dict list dict list list dict" "$({
	kind_of bench --list
	kind_of report "$work"
	kind_of report rows
	kind_of report lkml-2006
	kind_of macro --list
	kind_of lab method --list
	kind_of dev patches --files
} 2>&1 | xargs)"
if localedef -i en_US -f ISO-8859-1 "$work/en_US.ISO-8859-1" 2>/dev/null; then
	mkdir "$work/euro"
	printf '#marker\tformat\nprice\t\342\202\254%%d\n' >"$work/euro/markers"
	check "texts of the kernel are shown in a locale that lacks their characters" same "price   €%d" \
		"$(LOCPATH=$work LC_ALL=en_US.ISO-8859-1 "$kmark" list --root "$work/euro" 2>&1 | tail -n 1)"
else
	skip "texts of the kernel in another locale" "no localedef with en_US and ISO-8859-1"
fi
mkdir "$work/found"
printf '#id\tselector\tprobe\twhat\tkey\tvalue\n' >"$work/found/results"
run hist --root "$work/found"
check "hist without a histogram says how to make one" same "0 kmark: hist: no probe hist or latency is connected; -c connects one" \
	"$status $error"
run connect --root "$work" subsys_mark1 copy 3
check "connect" same "0 connect subsys_mark1 copy 3" "$status $(cat "$work/control")"
odd=$(printf 'mark\377')
: >"$work/control"
run connect --root "$work" "$odd" copy
check "bytes that are no text arrive as they are" same "0 connect $odd copy" "$status $(cat "$work/control")"
run disconnect --root "$work/absent" subsys_mark1
check "a kernel without markers.ko is status 1" same 1 $status
check "the message says that markers.ko is not loaded" holds "$error" "is markers.ko loaded"
printf 'ok: 4 sites, 0 mismatches\n' >"$work/verify"
run list --verify --root "$work"
check "verify without a mismatch is status 0" same "0 ok: 4 sites, 0 mismatches" "$status $output"
check "and JSON for programs" same dict "$(kind_of list --verify --root "$work")"
printf 'site 1\nbad: 4 sites, 1 mismatches\n' >"$work/verify"
run list --verify --root "$work"
check "verify with a mismatch is status 1" same "1 site 1
bad: 4 sites, 1 mismatches" "$status $output"

# completed WORD...: what bash completes the last word to, with its messages.
completed() {
	"$kmark" dev completion bash | sed "s,/sys/kernel/debug/markers,$work/tables,g" >"$work/completion"
	bash -c '. "$1"; COMP_WORDS=(kmark "${@:2}"); COMP_CWORD=$(($# - 1)); _kmark; echo "${COMPREPLY[*]}"' \
		bash "$work/completion" "$@" 2>&1
}
check "verbs are completed" same "kernel-cost" "$(completed ke)"
check "verbs of verbs are completed" same "snapshot" "$(completed record sn)"
check "options of the usual one are completed" same "--root --rotate-size --rotate-time" "$(completed record --ro)"
check "so they are behind its name" same "--root --rotate-size --rotate-time" "$(completed record run --ro)"
check "verbs are completed that have no usual one" same "kernel" "$(completed dev ke)"
check "options are completed" same "--icount" "$(completed dev vm --ic)"
check "options of compare are completed" same "--margin --most" "$(completed compare --m)"
check "options of baseline are completed" same "--write" "$(completed bench baseline --w)"
check "values are completed" same "native" "$(completed bench --env n)"
mkdir "$work/tables"
printf '#id\tmarker\tmodule\taddress\n0\tm/step\tm\tright+0x1/0x2 [m]\n0\tm/step\tm\tleft+0x1/0x2 [m]\n' >"$work/tables/sites"
printf '#marker\tsites\nm/step\t1\nm/stop\t1\ndebug_m/stage\t1\n' >"$work/tables/markers"
printf '#site\tstate\ndebug_m/f\tclosed\n' >"$work/tables/debug_sites"
check "list --debug shows debug sites" holds "$("$kmark" list --root "$work/tables" --debug)" "debug_m/f  closed"
check "kmark ends in silence with its reader: status 141" same "141 " \
	"$(bash -c '"$1" help 2>"$2" | (exec <&-; sleep 1); echo "${PIPESTATUS[0]} $(cat "$2")"' bash "$kmark" "$work/err")"
full() {
	"$kmark" "$@" >/dev/full 2>"$work/err"
	echo "$(cat "$work/err") $?"
}
for words in --help "list --root $work/tables"; do
	# shellcheck disable=SC2086 # words
	check "what standard output has no room for is an error: $words" same \
		"kmark: standard output: No space left on device 1" "$(full $words)"
done
for words in --help "list --root $work/tables" "compare --help"; do
	# shellcheck disable=SC2086 # words
	check "a closed standard output is as /dev/null: $words" same "0 " "$("$kmark" $words 2>"$work/err" >&-; echo "$? $(cat "$work/err")")"
done
check "an endless file is no configuration" holds "$("$kmark" kernel-cost --config /dev/zero A B 2>&1; echo $?)" \
	"kmark: kernel-cost: /dev/zero: no regular file"
check "a number that is none is named, with what is wanted" holds "$("$kmark" macro --rounds 0 2>&1)" \
	"kmark: macro: argument --rounds: '0': want a whole number, 1 or more"
: >"$work/nothing"
check "an empty dump is named" same "1 kmark: $work/nothing: is empty" \
	"$("$kmark" record vmcore "$work/nothing" -o "$work/recovered" >"$work/out" 2>&1; echo "$? $(cat "$work/out")")"
check "a name is not empty" holds "$("$kmark" record --session '' -o "$work/x" 2>&1)" "argument --session: '': want a name"
check "markers are completed without their system" same "step stop" "$(completed connect st)"
check "and with it" same "m/step m/stop" "$(completed connect m/)"
check "debug sites are completed with their system only" same "debug_m/stage" "$(completed connect debug_)"
check "the functions of a marker are completed" same "step@left m/step@left" \
	"$(completed connect step@l) $(completed connect m/step@l)"
check "readline may cut them at @" same "@left @left @right" "$(completed connect m/step @ l) $(completed connect step @)"
check "or values at =" same "native native vm uml --env=native" \
	"$(completed bench --env = n) $(completed bench --env =) $(completed bench --env=n)"
check "the value of an option is no argument" same "step stop" "$(completed record --session x -o y st)"
check "a value that is no name of anything is not completed" same "" "$(cd "$here/../../.." && completed record --duration '')"
check "files are completed where they are wanted" same "tools" "$(cd "$here/../../.." && completed list --root too)"
check "a COMMAND is completed" same "mktemp" "$(completed stat step -- mktem | xargs -n 1 | sort -u)"
check "help has the verbs" same "record report" "$(completed help re)"
check "help has the verbs of a verb" same "sessions snapshot" "$(completed help record s | xargs -n 1 | sort | xargs)"
check "zsh has a completion, too" same "#compdef kmark" "$("$kmark" dev completion zsh | head -n 1)"

"$setup" vm check
# The mirror may have a newer kernel than the lock, which is said each time.
unlocked() { grep -v "tools/packages.lock has"; }
check "tools/setup with all in place has nothing to say" same "" "$("$setup" vm check 2>&1 | unlocked)"

# A machine without sparse, where apt-get fails, or where there is none.
mkdir "$work/bin"
ln -s /usr/bin/* "$work/bin"
rm -f "$work/bin/sparse" "$work/bin/sudo" "$work/bin/apt-get"
# A command of that name is enough for a user other than root.
[ "$(id -u)" = 0 ] || printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
[ "$(id -u)" = 0 ] || chmod +x "$work/bin/sudo"
without_sparse() { PATH=$work/bin "$setup" lint 2>&1; }
check "a missing tool is named if there is no apt-get" same \
	"setup: sparse is missing (package sparse) and there is no apt-get" "$(without_sparse)"
printf '#!/bin/sh\nexit 100\n' >"$work/bin/apt-get"
chmod +x "$work/bin/apt-get"
check "a tool that cannot be installed is named" same \
	"setup: sparse is missing and the package sparse cannot be installed" "$(without_sparse | tail -n 1)"

# In a mount namespace: other files in the place of the system's.
instead() {
	unshare -rm sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$@" 2>&1
}
printf 'ID=debian\nVERSION_ID="11"\n' >"$work/os-release"
printf '#!/bin/sh\ncase $1 in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac\n' >"$work/python3"
chmod +x "$work/python3"
python3=$(readlink -f /usr/bin/python3)
supported="supported: debian 12 (bookworm), debian 13 (trixie) on x86_64"
check "kernels of distributions are those that the project knows" same "" "$(awk -F '\t' \
	'FNR == NR { known[$1]; next } /^[a-z]/ && !($4 in known) { print $4 }' \
	"$here"/../../kernels.tsv "$here"/../../distributions.tsv)"
if instead /dev/null /dev/null true >"$work/err"; then
	check "another distribution is refused before anything is installed" same \
		"setup: this is debian 11 on x86_64; $supported" "$(instead "$work/os-release" /etc/os-release "$setup" vm)"
	printf 'ID=debian\nVERSION_ID="13"\n' >"$work/debian-13"
	check "modules on Debian 13 are built for its own kernel" same \
		"kernel-version: no headers of a Debian 6.12 kernel (package linux-headers-amd64)" \
		"$(instead "$work/debian-13" /etc/os-release "$here/../../vm/kernel-version")"
	check "packages of Python are not the distribution's" same "$venv" \
		"$(instead "$work/os-release" /etc/os-release "$setup" --path python)"
	for words in vm "--path python"; do
		# shellcheck disable=SC2086 # several words
		check "an old Python is refused: $words" same \
			"setup: /usr/bin/python3 is Python 3.9.2; supported: Python 3.11 or later" \
			"$(instead "$work/python3" "$python3" "$setup" $words)"
	done
	full() {
		unshare -rm sh -c 'mount -t tmpfs -o size=256k tmpfs /mnt && TMPDIR=/mnt exec "$@"' sh "$@" 2>&1
	}
	check "a full disk is named in one line" same \
		"kmark: No space left on device; temporary files are in /mnt, or where TMPDIR says" \
		"$(full "$kmark" dev vm --accel tcg -- true)"
else
	skip "other systems, a full disk" "$(cat "$work/err")"
fi
check "another architecture is refused" same "setup: this is debian $(sed -n 's/^VERSION_ID="\(.*\)"/\1/p' /etc/os-release) on i686; $supported" \
	"$(setarch linux32 "$setup" vm 2>&1)"

cache=$("$setup" --path cache)
flock "$cache/lock" sleep 5 &
sleep 0.5
check "setup says what it waits for, and continues" same "setup: waiting for another tools/setup, which has $cache/lock 0" \
	"$({ "$setup" vm 2>&1; echo $?; } | unlocked | xargs)"
wait

# A cache that cannot be had, as root and as another user.
check "without a home the cache has no place, and setup says so" same \
	"setup: none of KMARK_CACHE, XDG_CACHE_HOME and HOME says where the cache is to be" \
	"$(env -i PATH="$PATH" "$setup" --path python 2>&1)"
check "a cache with another path than an absolute one is refused" same "setup: the cache here: not an absolute path" \
	"$(KMARK_CACHE=here "$setup" --path python 2>&1)"
check "a cache that cannot be made is named, and what to do" holds "$(KMARK_CACHE=/proc/none LC_ALL=C.UTF-8 "$setup" --path python 2>&1)" \
	"/proc/none’: No such file or directory
setup: the cache cannot be made; KMARK_CACHE can name another folder"
if instead /dev/null /dev/null true >"$work/err"; then
	mkdir "$work/unwritable"
	read_only() { unshare -rm sh -c 'mount -t tmpfs -o ro tmpfs "$1" && KMARK_CACHE=$1 exec "$2" --path python' sh "$@" 2>&1; }
	check "so is a cache that cannot be written" same "setup: there is no $work/unwritable/venv/${venv##*/}
setup: $work/unwritable cannot be written; KMARK_CACHE can name another folder" "$(read_only "$work/unwritable" "$setup")"
	run_read_only() { unshare -rm sh -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"' sh "$@" 2>&1; }
	check "what is there is used although it cannot be written" same "$venv" "$(run_read_only "$cache" "$setup" --path python)"
	full_file() { unshare -rm sh -c 'mount -t tmpfs -o size=4k tmpfs /mnt && exec "$@"' sh "$@" 2>&1; }
	check "a full disk is named with the file that has no room" same "kmark: /mnt/mail: No space left on device" \
		"$(full_file "$kmark" report mail "$work" --from x@example.org -o /mnt/mail)"
else
	skip "a cache or a file that cannot be written" "$(cat "$work/err")"
fi

mkdir "$work/with space"
(cd "$here/../../.." && git ls-files -z Makefile VERSION '*.mk' modules.list tools/vm | tar -c --null -T -) |
	tar -x -C "$work/with space"
check "modules are not built in a folder with a space, and make says so" holds \
	"$(make -C "$work/with space" modules 2>&1)" "cannot build modules in \"$work/with space\", as that has a space"

check "nothing is installed below a folder with a space either" holds \
	"$(make -s -C "$here/../../.." install-tools DESTDIR="$work/with space" 2>&1)" \
	"nothing is installed below \"$work/with space/usr/local\", as that has a space"

check "an unknown profile is refused" sh -c '! "$1" moon' sh "$setup"
check "an unknown thing is refused" sh -c '! "$1" --path moon' sh "$setup"

tap_done
