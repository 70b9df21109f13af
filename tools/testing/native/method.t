#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The methods of timing: sums against numpy, the fences' instructions, wrong
# arguments, and a short run natively; guest/method.t has the guest, and guest/uml-method.t User-Mode
# Linux.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kmark=$top/tools/kmark
venv=$("$top/tools/setup" --path python) || exit 1
make -s -C "$top" native modules >&2 || exit 1
method=$top/build/native/method
obj=$top/build/native/obj

# build NAME OBJECT...: a program of methods/ with these objects of bench/, besides series.o and words.o.
build() {
	name=$1
	shift
	(cd "$obj/bench" && gcc -O2 -std=gnu11 -fno-pie -no-pie -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE -pthread \
		-I"$top/bench/env/user" -I"$top/markers/env/user" -I"$top/markers" -I"$top/bench/loops" -I"$top/bench/runner" -I"$top/bench/arch/x86" \
		-I"$top/bench/timing/methods" -o "$work/$name" "$here/methods/$name.c" \
		timing/methods/series.o timing/methods/words.o "$@")
}
check "the unit test builds" build unit timing/methods/loops.o runner/fence.o
check "sums of samples are those of numpy" same "" \
	"$(PYTHONPATH=$top/tools/lib "$venv/bin/python" "$here/methods/sums.py" "$work/unit" 2>&1)"
check "a chain that was interrupted twice of five times has the time of the others" same "71 105" \
	"$("$work/unit" chains 70 900 69 71 7000 105 105 104 8000 106)"
check "the unit test with a known counter builds" build model
check "each column of a known counter" same "" \
	"$(PYTHONPATH=$top/tools/lib "$venv/bin/python" "$here/methods/model.py" "$work/model" 2>&1)"

# instructions OBJECT FUNCTION: its reads and fences, in order. SERIALIZE by its
# bytes, since objdump may not know it.
instructions() {
	objdump -d --no-show-raw-insn "$1" | awk -v name="<$2>:" '
		/^[0-9a-f]+ </ { on = $2 == name }
		on { sub(/^[^\t]*\t/, ""); gsub(/<[^>]*>/, ""); print }' | tr '\n' ' ' |
		grep -oE 'lfence|rdtscp|rdtsc|cpuid|serialize|mov +%cr0,%rax|mov +%rax,%cr0' | tr -s ' ' | xargs
}
# fenced FENCE BEGIN END: warm-up and loop have both; gcc may unroll the warm-up.
fenced() {
	for test in offset stores before inside; do
		found=$(instructions "$4" "$1_$test")
		[ "$found" = "$2 $3 $2 $3 $2 $3 $2 $3" ] || same "$2 $3 $2 $3" "$found" || return
	done
}
for place in "$obj/bench/timing/methods/loops.o" "$top/bench/marker_bench.ko"; do
	name=${place##*/}
	check "$name: lfence" fenced lfence "lfence rdtsc lfence" "rdtscp lfence" "$place"
	check "$name: lfence_rdtsc" fenced lfence_rdtsc "lfence rdtsc lfence" "lfence rdtsc lfence" "$place"
	check "$name: cpuid" fenced cpuid "cpuid rdtsc" "cpuid rdtsc" "$place"
	check "$name: rdtscp" fenced rdtscp "cpuid rdtsc" "rdtscp cpuid" "$place"
	check "$name: serialize" fenced serialize "serialize rdtsc" "rdtscp serialize" "$place"
	check "$name: rdtsc" fenced rdtsc rdtsc rdtsc "$place"
done
check "marker_bench.ko: cr0" fenced cr0 "cpuid rdtsc" "mov %cr0,%rax mov %rax,%cr0 rdtsc" \
	"$top/bench/marker_bench.ko"
check "code that was flushed is walked through once in a sample, at any scale" same 1 \
	"$("$top/build/native/cold" --scale 10 --rounds 1 --shape coldmem --state disabled |
		awk '$1 == "case" && $3 == "coldmem" { print $7 }' | sort -u)"
check "the program has no cr0" same "" "$(nm "$obj/bench/timing/methods/loops.o" | grep cr0)"

# refuses COMMAND...: exit status 2 and a usage line.
refuses() {
	output=$("$@" 2>&1)
	same "2 usage" "$? $(echo "$output" | grep -o '^usage' | head -n 1)"
}
for wrong in "fence=x" "fence=cr0" "test=x" "ensembles=0" "ensembles=100001" "samples=0" "samples=x" \
	"stride=-1" "tolerance=1001" "x" "samples=99999999999999999999"; do
	check "refused: method '$wrong'" refuses "$method" "$wrong"
done
check "refused: method --cpu x" refuses "$method" --cpu x
check "refused: method --x" refuses "$method" --x
check "refused: bench --fence x" refuses "$top/build/native/bench" --fence x
for wrong in "--fence x" "--env x" "--duration 0s" "--duration 1" "--full --duration 1s" "--intel --json" "x"; do
	# shellcheck disable=SC2086 # several words
	check "refused: kmark lab method $wrong" refuses "$kmark" lab method $wrong
done
check "refused: kmark bench --fence x" refuses "$kmark" bench --fence x

missing=$("$method" | awk -F '\t' '$1 == "fence" && $4 == "0" { print $2; exit }')
lacks() {
	output=$("$method" "fence=$1" 2>&1)
	same "1 method: fence=$1: this CPU lacks it" "$? $output"
}
[ -z "$missing" ] || check "a fence that the CPU lacks is named, status 1" lacks "$missing"

# The paper's module would keep 8 bytes of each sample, 160 MB here.
# shellcheck disable=SC3045 # dash and bash have it
(ulimit -v 65536 && exec "$method" 'ensembles=1000 samples=20000') >"$work/big" 2>/dev/null
check "20 million samples in 64 MB of address space" same 1000 "$(grep -c '^ensemble	0' "$work/big")"
check "each ensemble has all of its samples" same "" "$(awk -F '\t' \
	'$1 == "ensemble" && $2 == "0" && $5 + $10 + $11 != 20000' "$work/big")"

run() {
	output=$("$kmark" "$@" --output "$work/results" 2>"$work/err")
	status=$?
}
run lab method --fence lfence --fence rdtscp --duration 200ms
check "method runs natively" same 0 $status || cat "$work/err" >&2
check "and says where its results are" holds "$(cat "$work/err")" \
	"kmark: results in $work/results/$(readlink "$work/results/latest")"
# resolves FENCE: on a busy machine it may resolve nothing.
resolves() {
	echo "$output" | tr -s '\n ' ' ' |
		grep -qE "this machine resolves [^(]* with $1 |$1: not resolved: " || { echo "$output"; return 1; }
}
check "it says what it resolves with lfence" resolves lfence
check "it says what it resolves with rdtscp" resolves rdtscp
check "an RDTSC that does not name its registers loses a value" same 1 \
	"$("$method" | awk '$1 == "#naive_register" { print ($2 != $3) }')"
check "it prints the variance of minima" holds "$output" "var.min"
check "the paper's figures are printed beside" holds "$output" "  paper"
check "the figures of method 2 are drawn, and those of the default" same \
	"figure-03 figure-04 figure-07 figure-08 4" \
	"$(cd "$work/results/latest" && echo figure-*.svg | sed 's/-native.svg//g') $(find "$work/results/latest/" -name 'lfence-*.svg' | wc -l)"
check "report.json is JSON" same "kmark-method/1 2" "$("$venv/bin/python" -P -c 'import json, sys
made = json.load(open(sys.argv[1])); print(made["schema"], len(made["runs"][0]["fences"]))' "$work/results/latest/report.json")"
check "the rows of the paper have the figures of these two fences" same \
	"B1 B2 B3 B4 B5 B6 B7 B8 B9 ['B2', 'B4'] B3: 4 figures, min; ['native lfence', 'native rdtscp']" \
	"$(PYTHONPATH=$top/tools/lib "$venv/bin/python" -P - "$work/results/latest" <<'END'
import re, sys
from pathlib import Path
from kmark.analysis import raw
from kmark.timing import today
folder = Path(sys.argv[1]).resolve()
found = today.of_methods(raw.parse((folder / "raw.tsv").read_text(), "raw.tsv"), folder)
absent = [row for row, text in found.items() if text.startswith("no such fence here")]
number = r"[-+.e\d]+"
figures = re.fullmatch(rf"{', '.join([number] * 4)}, min \d+ ticks \(native\)", found["B3"])
fences = [part.split(":")[0] for part in found["B5"].split("; ")]
print(*sorted(found), absent, f"B3: {'4 figures, min' if figures else found['B3']};", fences)
END
)"
run lab method --fence lfence --duration 100ms --intel
intel='Loading hello module\.\.\.|loop_size:[0-9]+ >>>> variance\(cycles\): [0-9]+; max_deviation: [0-9]+ ;min time: [0-9]+|total number of spurious min values = [0-9]+|total variance = [0-9]+|absolute max deviation = [0-9]+|variance of variances = [0-9]+|variance of minimum values = [0-9]+|'
check "the log of the paper's module: nothing but its lines" same "" \
	"$(echo "$output" | grep -vxE "$intel")"
check "the paper's log has all lines of both tests" same "2000 10" \
	"$(echo "$output" | grep -c '^loop_size') $(echo "$output" | grep -cE ' = ')"

"$kmark" lab method --list --output "$work/results" >"$work/list"
check "every row of three documents is named" same \
	"B1 B2 B3 B4 B5 B6 B7 B8 B9 C1 C2 C3 C4 C5 C6 C7 C8 D1 D2 D3 D4 D5 D6 D7" \
	"$(grep -oE '^[BCD][0-9]' "$work/list" | xargs)"
check "each row has three lines" same "24 24 24" \
	"$(grep -c '^    see' "$work/list") $(grep -c '^    document' "$work/list") $(grep -c '^    today' "$work/list")"
check "each row has a command that shows it" same "" "$(grep -E '^    see +-$' "$work/list")"
tap_done
