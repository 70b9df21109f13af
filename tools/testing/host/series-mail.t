#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The thread that `kmark dev patches --mail` makes: git send-email takes it, git am applies
# it, and each mail goes to those who maintain what it changes.
here=$(dirname "$(readlink -f "$0")")
. "$here/../tap.sh"
cd "$here/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sender='A Sender <sender@example.org>'
base=0123456789abcdef0123456789abcdef01234567
mails=$work/mails
series=$PWD/build/series/linux-6.1
tools/kmark dev patches 6.1 >/dev/null || exit 1
git='git -c user.name=kmark -c user.email=kmark@localhost'

status() { "$@" >/dev/null 2>&1; echo $?; }
refused() { check "$1" same 2 "$(shift; status tools/kmark dev patches "$@")"; }
# mail N: the file of that number.
mail() { echo "$mails/v2-$(printf %04d "$1")"-*.patch; }
# mail_head NAME: the head of that step's mail.
mail_head() {
	number=$(basename "$series"/*-markers-"$1".patch | cut -d- -f1 | sed 's/^0*//')
	sed '/^$/q' "$(mail "$number")"
}
# to NAME ADDRESS: the mail of that step goes there.
to() { check "$1 goes to $2" holds "$(mail_head "$1")" "$2"; }

# The thread before it: without the last patch.
mkdir "$work/previous"
cp "$series"/*.patch "$work/previous"
rm "$(find "$work/previous" -name '*-markers-*.patch' | sort | tail -n 1)"
count=$(find "$series" -name '*-markers-*.patch' | wc -l)

said=$(tools/kmark dev patches --mail 6.1 -o "$mails" --signed-off-by "$sender" --base $base \
	--previous "$work/previous" 2>&1)
check "a thread is made" same 0 $?
check "it says how to send it" holds "$said" "git send-email $mails/*.patch"
check "a mail for each patch, and a cover letter" same $((count + 1)) "$(find "$mails" -type f | wc -l)"

cover=$(cat "$(mail 0)")
check "the cover letter has a shortlog" holds "$cover" "A Sender ($count):"
check "and a diffstat" holds "$cover" "files changed, "
check "and the commit it is based on" holds "$cover" "
base-commit: $base
-- "
check "and what changed since the last one" holds "$cover" "Range-diff against v1:"
check "such as the new patch" holds "$cover" "
 -:  ------------ > $count:"
check "and the release that it was made on" holds "$cover" "Made on Linux 6.1."
check "all mails are signed off" same "$count" "$(cat "$mails"/* | grep -c "^Signed-off-by: $sender\$")"
id=$(sed -n 's/^Message-Id: //Ip' "$(mail 0)")
check "all are replies to the cover letter" same "$count" "$(grep -l -F "In-Reply-To: $id" "$mails"/* | wc -l)"
check "who sends them maintains the files" holds "$(cat "$mails"/*)" "+STATIC TRACING MARKERS
+M:	$sender
+L:	linux-trace-kernel@vger.kernel.org"

# By the MAINTAINERS of 6.1.
to sched peterz@infradead.org
to irq tglx@linutronix.de
to process linux-fsdevel@vger.kernel.org
to block linux-block@vger.kernel.org
to net netdev@vger.kernel.org
to syscalls luto@kernel.org
to x86-events x86@kernel.org
to arm64-events linux-arm-kernel@lists.infradead.org
to um-events linux-um@lists.infradead.org
to core linux-trace-kernel@vger.kernel.org
check "the scheduler's patch goes to no others" same "" "$(mail_head sched | grep -E 'netdev|linux-um|linux-block')"
check "the cover letter goes to all" same "" "$(
	cat "$mails"/v2-*.patch | sed -n '/^To: /,/^$/p' | grep -o '[^[:space:]<]*@[^[:space:]>,]*' | sort -u >"$work/all"
	sed '/^$/q' "$(mail 0)" | sed -n '/^To: /,/^$/p' | grep -o '[^[:space:]<]*@[^[:space:]>,]*' | sort -u | diff "$work/all" -)"

sent=$(HOME=$work git send-email --dry-run --confirm=never --from "$sender" "$mails"/*.patch 2>&1)
check "git send-email takes it" same 0 $?
check "each mail" same $((count + 1)) "$(echo "$sent" | grep -c '^Dry-OK')"

# The files of the source that the series changes.
tree=$work/tree
mkdir "$tree"
grep -h '^--- a/' "$series"/*.patch | sed 's/^--- a/linux-source-6.1/' | sort -u >"$work/list"
tar -xf "$(tools/setup --path linux-source-6.1)" --strip-components=1 -C "$tree" -T "$work/list" 2>/dev/null
(cd "$tree" && $git init -q . && $git add -f . && $git commit -q -m source) || exit 1
check "git am applies it" sh -c "cd '$tree' && $git am -q \$(find '$mails' -name 'v2-*' ! -name '*0000-cover*' | sort)"
check "patch by patch" same $((count + 1)) "$(cd "$tree" && git log --oneline | wc -l)"
(cd "$tree" && git branch mails && $git reset -q --hard "HEAD~$count") >/dev/null
check "git am applies what make series writes" sh -c "cd '$tree' && $git am -q '$series'/*-markers-*.patch"
check "both make the same files, less the line of their maintainer" same "MAINTAINERS
+M:	$sender" "$(cd "$tree" && git diff --name-only HEAD mails && git diff HEAD mails | grep '^[-+][^-+]')"

refused "an address is needed" --mail 6.1 -o "$work/a" --signed-off-by "A Sender"
refused "a commit is a number" --mail 6.1 -o "$work/a" --base v6.1
refused "a folder is needed" --mail 6.1
refused "an empty one" --mail 6.1 -o "$mails"
refused "with patches, for the last thread" --mail 6.1 -o "$work/a" --previous "$work"
refused "of a known version" --mail 2.6.17 -o "$work/a"
refused "these options belong to --mail" --base $base
check "what is refused leaves nothing" same "" "$(ls "$work/a" 2>/dev/null)"
tap_done
