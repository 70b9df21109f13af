#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The lecture's timing schemes: with known answers, each experiment in short, and
# the rule of kmark lab time.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kmark=$top/tools/kmark
make -s -C "$top" kbest >&2 || exit 1
kbest=$top/build/kbest/kbest
unit=$work/unit

check "the unit test builds" gcc -O2 -std=gnu11 -Wall -Wextra -Werror -I"$top/bench/timing/tsc" \
	-I"$top/bench/timing/kbest" -o "$unit" "$here/kbest/unit.c" "$top/build/kbest/kbest.o" "$top/build/tsc/libtsc.a"
check "doubling starts its counter, where the slide does not" "$unit" doubling
check "the K fastest agree at once" same "10 0 3 1" "$("$unit" choose 3 0.001 10 10 10 5)"
check "they agree when the third good one comes" same "10 0.001 6 1" \
	"$("$unit" choose 3 0.001 30 10 20 10.01 15 10.005 10)"
check "a faster run can undo the agreement" same "8 0.25 4 0" "$("$unit" choose 3 0.001 10 9 10 8)"
check "they never agree" same "10 0.2 4 0" "$("$unit" choose 3 0.1 10 11 12 13)"
check "a spread of exactly epsilon is agreement" same "8 0.5 3 1" "$("$unit" choose 3 0.5 8 10 12 1)"
check "with K = 1 the first run is the result" same "7 0 1 1" "$("$unit" choose 1 0 7 6)"

# refuses COMMAND...: exit status 2 and a usage line.
refuses() {
	output=$("$@" 2>&1)
	same "2 usage" "$? $(echo "$output" | grep -o '^usage' | head -n 1)"
}
for wrong in "" "x" "counter x" "counter --rounds 0" "counter --sleep x" "counter --sleep 60001" \
	"scheme -K 0" "scheme -K 5 -N 4" "scheme -N 1001" "scheme --epsilon -1" "scheme --cmin x" \
	"scheme --times 1,,2" "validate --load 0" "validate --load 65" "validate --load 2,1" "interval --delta 99" \
	"cache --cpu x" "command" "command --out /dev/null" "counter --x"; do
	# shellcheck disable=SC2086 # several words
	check "refused: kbest $wrong" refuses "$kbest" $wrong
done
for wrong in "" "x" "scheme -K x" "scheme --epsilon -1" "scheme --cmin x"; do
	# shellcheck disable=SC2086 # several words
	check "refused: kmark lab kbest $wrong" refuses "$kmark" lab kbest $wrong
done

# columns EXPERIMENT KIND: lines of a record, all with as many fields as the head.
columns() {
	awk -F '\t' -v kind="$2" '$1 == kind { n++; if (!fields) fields = NF; else if (NF != fields) bad = 1 }
		END { print n - 1, bad + 0 }' "$1"
}
"$kbest" counter --rounds 2 --sleep 10 >"$work/counter"
check "counter" same "2 0" "$(columns "$work/counter" speed)"
"$kbest" cache --rounds 3 >"$work/cache"
check "cache: both orders, both functions" same "12 0" "$(columns "$work/cache" order)"
"$kbest" scheme -N 4 -K 2 --times 1,100 >"$work/scheme"
check "scheme: two clocks for each length" same "4 0" "$(columns "$work/scheme" best)"
check "scheme: no more measurements than N" same "" "$(awk -F '\t' '$1 == "best" && $6 + 0 > 4' "$work/scheme")"
check "scheme: the number of runs is that in the records" same "$(awk -F '\t' '$1 == "best" { n += $6 } END { print n }' "$work/scheme")" \
	"$(($(grep -c '^run' "$work/scheme") - 1))"
"$kbest" interval --rounds 3 --times 5000,15000 >"$work/interval"
check "interval" same "6 0" "$(columns "$work/interval" interval)"
# In a session of its own, whose number is that of its first process.
setsid --wait sh -c 'echo $$ >"$1"; exec "$2" validate --load 1,2 -N 3 --times 500' sh "$work/session" "$kbest" >"$work/validate"
check "validate: both loads" same "2 0" "$(columns "$work/validate" validation)"
check "validate: all loads have one calibration" same 1 \
	"$(awk -F '\t' '$1 == "validation" && $2 != "load" { print $4 }' "$work/validate" | sort -u | wc -l)"
check "validate: what is compensated is the same measurement" same "" \
	"$(awk -F '\t' '$1 == "validation" && $2 != "load" && $6 > $5' "$work/validate")"
check "the load processes are gone" same "" "$(pgrep -s "$(cat "$work/session")")"
"$kmark" lab kbest validate -N 3 --output "$work/results" >"$work/out" 2>"$work/err"
check "kmark lab kbest validate: table and plot" same "0 1 3" \
	"$? $(grep -c '<svg' "$work/results/latest/validation.svg") $(grep -cE '^ +(0.5|2|5) ' "$work/out")"
check "and where they are" holds "$(cat "$work/err")" \
	"kmark: results in $work/results/$(readlink "$work/results/latest")"
for name in counter interval cache scheme; do
	"$kmark" lab kbest $name -N 3 --rounds 2 >"$work/out" 2>&1
	check "kmark lab kbest $name" same "0" "$?" || cat "$work/out" >&2
done

timed() {
	output=$("$kmark" lab time "$@" 2>"$work/timed")
	status=$?
}
timed -N 5 -- sh -c 'echo once; exit 0'
check "a short command is run again, and says so" holds "$(cat "$work/timed")" \
	"s of elapsed time, by cycle counter, K-best"
check "the output is that of the first run" same "0 once" "$status $output"
timed -- sh -c 'echo x >>"$1"; exit 3' sh "$work/runs"
check "a command that fails is not run again, and its status is returned" same "3 1" "$status $(grep -c x "$work/runs")"
timed --once -- sh -c 'echo x >>"$1"' sh "$work/more"
check "--once" same "0 1" "$status $(grep -c x "$work/more")"
timed --limit 1ms -- sh -c 'sleep 0.1; echo x >>"$1"' sh "$work/long"
check "a long command is run once" same "0 1" "$status $(grep -c x "$work/long")"
check "a long command is timed by the kernel's accounting, and it says which" holds "$(cat "$work/timed")" \
	"s of CPU time, by the kernel's exact accounting, 1 run"
check "the error bound is printed" holds "$(cat "$work/timed")" "error below a tick"
timed --json -N 4 -- true
check "--json" holds "$(cat "$work/timed")" '"method": "cycle counter, K-best"'
timed -- /nonexistent/command
check "a command that is not there is 127, as in a shell" same 127 "$status"
check "and has no time" same "" "$(grep ' s of ' "$work/timed")"
tap_done
