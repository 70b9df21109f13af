#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark kernel-cost: what it refuses, that a kernel is the same as itself and prints the same
# twice, and that one planted instruction is found, with its function. The same in
# many boots: long/gate.t.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kmark=$top/tools/kmark
python=$("$top/tools/setup" --path python)/bin/python
mkdir "$work/empty" "$work/there"

# refuses COMMAND...: exit status 2 and a usage line.
refuses() {
	output=$("$@" 2>&1)
	same "2 usage" "$? $(echo "$output" | grep -o '^usage' | head -n 1)"
}
for wrong in "" "6.1" "6.1 /nonexistent" "0.1 6.1" "$work/empty 6.1" "6.1 6.1 --boots 0" "6.1 6.1 --base 0.1" \
	"6.1 6.1 6.1" "6.1 --each" "--bisect udp 6.1" "6.1 6.1 --config /nonexistent" "6.1 6.1 --operation /nonexistent" \
	"6.1 6.1 --json --junit" "HEAD..nowhere"; do
	# shellcheck disable=SC2086 # several words
	check "refused: kmark kernel-cost $wrong" refuses "$kmark" kernel-cost $wrong
done
# A patch is tried before a kernel is built, from the folder where the user stands.
mkdir "$work/linux" "$work/linux/scripts" "$work/linux/kernel"
touch "$work/linux/scripts/Kbuild.include"
echo "a line" >"$work/linux/kernel/fork.c"
(cd "$work/linux" && git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm first)
cat >"$work/there/my.patch" <<'END'
--- a/kernel/fork.c
+++ b/kernel/fork.c
@@ -1,2 +1,2 @@
 no line of that file
-nor this
+is like these
END
(cd "$work/there" && "$kmark" kernel-cost --tree ../linux HEAD my.patch) >"$work/out" 2>"$work/err"
check "a patch that does not apply is status 1" same 1 $?
check "the patch, the file and the line are named" holds "$(tail -n 1 "$work/err")" "my.patch does not apply: error: patch failed: kernel/fork.c:1"
check "the tree of the user is as it was" same "" "$(git -C "$work/linux" status --porcelain)"
echo 'void operation(void) { no C }' >"$work/own.c"
"$kmark" kernel-cost 6.1 6.1 --operation "$work/own.c" >"$work/out" 2>"$work/err"
check "an operation that is no C is status 1" same 1 $?
check "and named" holds "$(tail -n 1 "$work/err")" "own.c cannot be compiled"
check "--list" holds "$("$kmark" kernel-cost --list)" "getppid()"

# value REPORT EXPRESSION: what it is for the operations o, by name, of the report.
value() {
	"$python" -P -c "import json, sys
o = {one['name']: one for one in json.load(open(sys.argv[1]))['operations']}; print($2)" "$1"
}
check "a kernel is prepared, with one instruction planted" "$python" "$here/gate/plant.py" "$work"
cp "$work/old/image" "$work/image"
echo 'void operation(void) { }' >"$work/own.c"
"$kmark" kernel-cost --json --boots 2 --operation "$work/own.c" "$work/image" "$work/image" >"$work/same.json"
check "a kernel is the same as itself" same 0 $?
# Kernels that differ are booted once more, so each of these kernels is booted twice, too.
"$kmark" kernel-cost --json --boots 1 "$work/old/image" "$work/new/image" >"$work/json"
check "one more instruction is status 3" same 3 $?
check "at most fork and exec are not exact" same "[]" "$(value "$work/same.json" \
	"[n for n in o if n not in ('fork', 'exec') and not (o[n]['old']['exact'] and o[n]['new']['exact'])]")"
check "an operation of the user that does nothing takes next to nothing" same True "$(value "$work/same.json" "o['own']['old']['count'] < 10")"
check "all trace events take more than one of them" same True "$(value "$work/same.json" \
	"o['events']['old']['count'] > o['tracepoint']['old']['count'] > o['name']['old']['count']")"
# The operation of the user moves what fork and exec copy.
check "two runs count the same, to the byte" same "$(value "$work/same.json" "{n: o[n]['old'] for n in o if n not in ('own', 'fork', 'exec')}")" \
	"$(value "$work/json" "{n: o[n]['old'] for n in o if n not in ('fork', 'exec')}")"
check "only operations that execute the planted instruction differ" same \
	"$(grep -v '^\(fork\|exec\|function\) ' "$work/expected" | sort | xargs)" \
	"$(value "$work/json" "' '.join(f'{n} {o[n][\"difference\"]}' for n in sorted(o) if n not in ('fork', 'exec') and o[n]['old'])")"
check "the function is named, and accounts for the whole difference" same "$(sed -n 's/^function //p' "$work/expected") 1" \
	"$(value "$work/json" "' '.join(f'{s[\"function\"]} {s[\"difference\"]}' for s in o['null']['functions'])")"
tap_done
