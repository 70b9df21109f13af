#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The workloads of the macro-benchmarks: that each does its work, natively and in
# the stock kernel's guest, and what the command line refuses. What they measure is
# in long/macro.t, which builds kernels.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kmark=$top/tools/kmark
macro=$top/build/macro/macro
make -s -C "$top" macro >&2 || exit 1
cd "$work" || exit 1

# refuses COMMAND...: exit status 2 and a usage line.
refuses() {
	output=$("$@" 2>&1)
	same "2 usage" "$? $(echo "$output" | grep -o '^usage' | head -n 1)"
}
for wrong in "" "x" "x 1 closed 0" "pipe" "pipe 0 closed 0" "pipe x closed 0" "pipe 1 closed x" \
	"pipe 1 closed 0 -- true" "compile 1 closed 0" "compile 1 closed 0 --" \
	"flood 1 closed 0" "head"; do
	# shellcheck disable=SC2086 # several words
	check "refused: macro $wrong" refuses "$macro" $wrong
done
for wrong in "--env x" "--workload x" "--rounds 0"; do
	# shellcheck disable=SC2086 # several words
	check "refused: kmark macro $wrong" refuses "$kmark" macro $wrong
done
check "--list names all of them" same "compile kernel ping flood pipe syscall metadata" \
	"$("$kmark" macro --list | grep -o '^[a-z]*' | xargs)"
check "--list --json" holds "$("$kmark" macro --list --json)" '"row": "A15"'

# cells LINE: workload, state, round, ops; then whether ticks and ns went by.
cells() {
	echo "$1" | awk -F '\t' '{ print $2, $3, $4, $5, ($6 > 0), ($7 > 0), NF }'
}
for workload in pipe ping metadata; do
	check "$workload" same "$workload closed 7 20 1 1 9" "$(cells "$("$macro" $workload 20 closed 7)")"
done
check "metadata leaves nothing" same "" "$(ls)"
check "flood: the output of ping is not in the data" same "flood closed 7 20 1 1 9" \
	"$(cells "$("$macro" flood 20 closed 7 -- ping -f -q -c 20 127.0.0.1 2>sent)")"
check "ping has sent them all" holds "$(cat sent)" "20 received"
cat >perf <<'END'
#!/bin/sh
echo '# Executed 500 getppid() calls'
echo '     Total time: 0.001 [sec]'
echo
echo '       2.500000 usecs/op'
echo '         400000 ops/sec'
END
chmod +x perf
check "syscall: the time is the one that perf prints" same 1250000 \
	"$("$macro" syscall 500 closed 0 -- ./perf | cut -f 7)"
check "syscall: a command that prints no time fails" same 1 "$("$macro" syscall 1 closed 0 -- true >&2; echo $?)"
check "a command that fails" same 1 "$("$macro" syscall 1 closed 0 -- false >&2; echo $?)"
check "a command that is not there" same 1 "$("$macro" syscall 1 closed 0 -- ./nothing >&2; echo $?)"

# The kernel of the distribution has no markers of its own: only its tracepoints store events.
"$kmark" dev vm --icount --host-root --add "$macro" -- "$top/tools/vm/macro.sh" vm 0 2 \
	ping=20 flood=20 pipe=20 metadata=5 >out
check "the guest ends well" same 0 $?
grep -v '^[0-9]*/[0-9]*$' out >raw
check "two rounds, whose states take turns" same "closed0 open0 traced0 open1 traced1 closed1" \
	"$(awk -F '\t' '$1 == "macro" && $2 == "pipe" { print $3 $4 }' raw | xargs)"
check "all workloads, six times" same "6 flood 6 metadata 6 ping 6 pipe" \
	"$(awk -F '\t' '$1 == "macro" && $5 + 0 { print $2 }' raw | sort | uniq -c | xargs)"
check "the tracepoints that are asked for are there" same 18 "$(sed -n 's/^#tracepoints\t//p' raw)"
check "events are stored where tracepoints are enabled, and nowhere else" same "closed 0 open 0 traced 1" \
	"$(awk -F '\t' '$1 == "macro" && $5 + 0 { n[$3] += $9 }
		END { print "closed", n["closed"], "open", n["open"], "traced", (n["traced"] > 0) }' raw)"
check "a round trip through pipes is 4 system calls at least, so 8 events" same 1 "$(awk -F '\t' \
	'$2 == "pipe" && $3 == "traced" { if (!least || $9 / $5 < least) least = $9 / $5 } END { print (least >= 8) }' raw)"
check "instructions hardly differ" same 0 "$(awk -F '\t' '$2 == "pipe" && $3 != "traced" {
	if (!least || $6 < least) least = $6; if ($6 > most) most = $6 }
	END { print (most > 2 * least) }' raw)"
"$kmark" dev vm --icount --add "$macro" -- "$top/tools/vm/macro.sh" vm 0 1 pipe=0 >out
check "a workload that fails is named" same "1 1" "$? $(grep -c 'macro.sh: pipe failed' out)"
tap_done
