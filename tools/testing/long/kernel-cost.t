#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark kernel-cost in a developer's git tree of Linux: a commit, a range, a bisection, files
# that are not committed, patches in all forms, and an operation of the user. A quarter of an
# hour, as a whole kernel is built once; run by name: prove tools/testing/long/kernel-cost.t
# $LINUX: the version of the tree (default: the newest).
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
python=$("$top/tools/setup" --path python)/bin/python
newest=$(awk '!/^#/ { version = $1 } END { print version }' "$top/tools/kernels.tsv")
archive=$("$top/tools/setup" --path "linux-source-${LINUX:-$newest}")
work=$(mktemp -d "${TMPDIR:-/var/tmp}/kernel-cost.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/linux
mkdir "$tree"
tar -xf "$archive" --strip-components=1 -C "$tree"
cd "$tree" || exit 1
git init -q .
git config user.name developer
git config user.email developer@localhost
git add -A -f .
git commit -q -m "Linux"

# change FILE SCRIPT SUBJECT: a commit.
change() {
	sed -i "$2" "$1" || exit 1
	git commit -q -a -m "$3"
}
change kernel/sys.c '/^SYSCALL_DEFINE0(getppid)/,/^}/s/\treturn pid;/\tWARN_ON_ONCE(pid < 0);\n\treturn pid;/' "sys: a parent has a PID"
change net/ipv4/udp_offload.c '/^struct sk_buff \*udp_gro_receive/,/^}/s/sizeof(\*uh) ||/sizeof(*uh) + 1 ||/' "udp: GRO refuses empty datagrams"
change drivers/net/ethernet/intel/e1000/e1000_main.c '/^static int e1000_probe(/,/^}/s/\tint bars, need_ioport;/\tint bars, need_ioport = 0;/' "e1000: a first value"

kmark() {
	"$top/tools/kmark" kernel-cost "$@"
}
# value FILE EXPRESSION: what it is for r, the reports of a table by subject, or the report.
value() {
	"$python" -P -c "import json, sys
found = json.load(open(sys.argv[1]))
r = {row['name'].partition(' ')[2]: row['report'] for row in found['rows']} if 'rows' in found else found
def first(one): return one['changed'][0]
def differ(one): return ' '.join(f'{o[\"name\"]} {o[\"difference\"]:+}' for o in one['operations'] if o['verdict'] == 'differs')
print($2)" "$1"
}

kmark --json HEAD~3..HEAD >"$work/range"
check "a range with a difference is status 3" same 3 $?
check "each commit has a row" same 3 "$(value "$work/range" 'len(r)')"
check "a comparison and a trap that is not taken" same "null +2 seccomp +2" "$(value "$work/range" 'differ(r["sys: a parent has a PID"])')"
check "how often it ran is said" same "{'null': 1, 'seccomp': 1}" \
	"$(value "$work/range" '[c for c in r["sys: a parent has a PID"]["changed"] if c["function"]][0]["executed"]')"
check "no operation runs what another changes" same "True {}" \
	"$(value "$work/range" 'first(r["udp: GRO refuses empty datagrams"])["compiled"], first(r["udp: GRO refuses empty datagrams"])["executed"]')"
check "nor is there a difference" same "" "$(value "$work/range" 'differ(r["udp: GRO refuses empty datagrams"])')"
check "a third is not compiled" same "e1000_probe False" \
	"$(value "$work/range" 'first(r["e1000: a first value"])["function"], first(r["e1000: a first value"])["compiled"]')"
check "functions and bytes agree with nm" same True "$(value "$work/range" 'r["sys: a parent has a PID"]["size"]["symbols"]["__x64_sys_getppid()"] > 0')"
check "--max-added" kmark --max-added 2 --no-functions HEAD~3 HEAD~2
check "a bisection finds the commit" holds "$(kmark --bisect null HEAD~3..HEAD)" "sys: a parent has a PID"
kmark --bisect pipe HEAD~3..HEAD >"$work/out" 2>&1
check "a bisection of nothing is status 1" same 1 $?

sed -i '/^SYSCALL_DEFINE0(getppid)/,/^}/s/\treturn pid;/\tWARN_ON_ONCE(pid == 7);\n\treturn pid;/' kernel/sys.c
begin=$(date +%s)
kmark --json HEAD >"$work/files"
check "files that are not committed" same "3 null +2 seccomp +2" "$? $(value "$work/files" 'differ(r)')"
echo "# from a changed line to the verdict: $(($(date +%s) - begin)) s"
check "the tree is as it was" same " M kernel/sys.c" "$(git status --porcelain)"

# One change in all forms is one kernel.
git diff >"$work/plain.diff"
git diff --no-prefix >"$work/bare.diff"
sed 's/$/\r/' "$work/plain.diff" >"$work/crlf.patch"
git -c core.abbrev=40 diff | sed 's/^diff --git .*/Index: linux\/kernel\/sys.c\n=====/; /^index /d; s,^\(---\|+++\) [ab]/,\1 linux/,' >"$work/quilt.patch"
git commit -q -a -m "sys: seven"
git format-patch -q -1 -o "$work/0000-folder"
cp "$work/0000-folder"/0001-*.patch "$work/0000-mail.mbox"
(cat "$work/plain.diff" && echo) | sed '1i From: J\xf6rg <j@localhost>\nSubject: [PATCH] seven\nContent-Type: text/plain; charset=iso-8859-1\n\nwith an \xf6\n---' >"$work/latin.patch"
kmark --json HEAD~1 --each "$work"/plain.diff "$work"/bare.diff "$work"/crlf.patch "$work"/quilt.patch "$work"/0000-mail.mbox "$work"/latin.patch \
	"$work/0000-folder" >"$work/forms" 2>"$work/err"
check "seven forms of a change differ as it does" same "7 {'null +2 seccomp +2'}" \
	"$("$python" -P -c "import json; rows = json.load(open('$work/forms'))['rows']
print(len(rows), {' '.join(f'{o[\"name\"]} {o[\"difference\"]:+}' for o in row['report']['operations'] if o['verdict'] == 'differs') for row in rows})")"
check "and build no kernel again" same 0 "$(grep -c '^kernel of' "$work/err")"
printf 'diff --git a/MAINTAINERS b/MAINTAINERS.new\nsimilarity index 100%%\nrename from MAINTAINERS\nrename to MAINTAINERS.new\n' >"$work/rename.patch"
printf -- '--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+int new;\n' >"$work/new.patch"
kmark HEAD --each "$work/rename.patch" "$work/new.patch" >"$work/out"
check "a renamed and a new file change no kernel" same "0 2" "$? $(grep -c 'no difference; text +0 bytes' "$work/out")"
sed 's/pid == 7/pid == 8/' "$work/plain.diff" >"$work/other.diff"
kmark HEAD~1 --each "$work/plain.diff" "$work/other.diff" >"$work/out" 2>"$work/err"
check "a diff that differs in one byte is another kernel" same 1 "$(grep -c '^kernel of.*starts' "$work/err")"
kmark HEAD --each "$work/plain.diff" "$work/rename.patch" >"$work/out"
check "one that is applied already is status 1, and named" same "1 1" "$? $(grep -c 'plain.diff changes no file of HEAD: it is applied already' "$work/out")"

printf '#include <unistd.h>\nvoid operation(void) { getppid(); getppid(); }\n' >"$work/twice.c"
kmark --json --operation "$work/twice.c" HEAD~1 HEAD >"$work/own"
check "an operation of the user" same True "$(value "$work/own" '"twice +4" in differ(r)')"
tap_done
