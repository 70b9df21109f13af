#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The branch that `kmark dev patches --mail` makes in a tree of Linux: b4 makes mails of it, whose authors,
# trailers and recipients are those that were asked for, and git am applies the mails.
here=$(dirname "$(readlink -f "$0")")
. "$here/../tap.sh"
cd "$here/../../.." || exit 1
tools/setup check >&2 || exit 1
command -v b4 >/dev/null || { echo "1..0 # SKIP no b4"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=6.1
series=$PWD/build/series/linux-$version
tools/kmark dev patches $version >/dev/null || exit 1
tree=$work/tree
mkdir "$tree"

status() { "$@" >/dev/null 2>&1; echo $?; }
refused() { check "$1" same 2 "$(shift; status tools/kmark dev patches "$@")"; }
# in_tree COMMAND...: runs it in the tree, without the user's own configuration.
in_tree() {
	(cd "$tree" && HOME="$work" XDG_CONFIG_HOME="$work" XDG_DATA_HOME="$work" XDG_CACHE_HOME="$work/cache" "$@")
}

# The files of the source that the patches change, and those that name maintainers.
{
	grep -h '^--- a/' "$series"/*/*.patch | sed "s/^--- a/linux-source-$version/"
	printf "linux-source-$version/%s\n" MAINTAINERS scripts/get_maintainer.pl COPYING CREDITS Kbuild Makefile README \
		Documentation arch include drivers fs init ipc kernel lib scripts
} | sort -u | grep -vE '/(Documentation|arch|include|drivers|fs|init|ipc|kernel|lib|scripts)$' >"$work/list"
tar -xf "$(tools/setup --path linux-source-$version)" --strip-components=1 -C "$tree" -T "$work/list" 2>/dev/null
for folder in Documentation arch include drivers fs init ipc kernel lib scripts; do mkdir -p "$tree/$folder"; done
in_tree git init -q .
in_tree git config user.name 'A Sender'
in_tree git config user.email sender@example.org
in_tree git add -f . && in_tree git commit -q -m source || exit 1
base=$(in_tree git rev-parse HEAD)
main=$(in_tree git rev-parse --abbrev-ref HEAD)

check "a commit that is not public is refused" same 1 "$(status tools/kmark dev patches --mail batching --tree "$tree" $version)"
in_tree git update-ref refs/remotes/origin/master HEAD

# mails SET: makes the branch of a set and the mails of that.
mails() {
	in_tree git checkout -q "$main"
	said=$(tools/kmark dev patches --mail "$1" --tree "$tree" --assisted-by 'A Tool' $version 2>&1)
	check "$1: the branch is made" same 0 $?
	echo "$said" | sed -n 's/^\t//p' >"$work/commands"
	sed -i "s|/tmp/mails|$work/mails|" "$work/commands"
	rm -rf "$work/mails"
	check "$1: the commands of b4 do what they say" in_tree sh -e "$work/commands"
	count=$(find "$series/$1" -name '*[1-9]-*.patch' | wc -l)
	check "$1: a mail for each patch, and a cover letter" same $((count + 1)) "$(find "$work/mails" -type f | wc -l)"
	cover=$(cat "$work"/mails/0000-*)
	check "$1: it is an RFC" holds "$cover" "Subject: [PATCH RFC 0"
	check "$1: based on the commit of the tree" holds "$cover" "base-commit: $base"
	check "$1: the cover letter has its text" holds "$cover" "$(grep -v -m 1 '^#' "patches/cover/$1.txt")"
	check "$1: and a diffstat" holds "$cover" "files changed, "
	check "$1: the sender is the author of each" same "$count" \
		"$(cat "$work"/mails/0*[1-9]-* | grep -c '^From: A Sender <sender@example.org>$')"
	check "$1: who has signed each" same "$count" \
		"$(cat "$work"/mails/0*[1-9]-* | grep -c '^Signed-off-by: A Sender <sender@example.org>$')"
	check "$1: with the tool that has helped" same "$count" "$(cat "$work"/mails/0*[1-9]-* | grep -c '^Assisted-by: A Tool$')"
	recipients=$(sed '/^$/q' "$work"/mails/0000-* | awk '/^[A-Z]/ { on = /^(To|Cc):/ } on' |
		grep -o '[^ <,]*@[^ >,]*')
	check "$1: at most ten recipients" test "$(echo "$recipients" | wc -l)" -le 10
	echo "# $(echo "$recipients" | xargs)"
	in_tree git checkout -q --detach "$base"
	check "$1: git am applies the mails" sh -c "cd '$tree' && git am -q '$work'/mails/0*[1-9]-*"
}

mails batching
check "batching goes to the maintainer of static keys" holds "$recipients" peterz@infradead.org
mails markers
check "markers goes to the maintainer of tracing" holds "$recipients" rostedt@goodmis.org
check "and to the list" holds "$recipients" linux-trace-kernel@vger.kernel.org
check "who sends them maintains the files" holds "$(in_tree git show HEAD:MAINTAINERS)" "STATIC TRACING MARKERS
M:	A Sender <sender@example.org>
L:	linux-trace-kernel@vger.kernel.org"
in_tree git tag sent
in_tree git checkout -q --detach "$base"
check "git am applies what make series writes" sh -c "cd '$tree' && git am -q '$series'/markers/*[1-9]-*.patch"
check "both make the same files, less the line of their maintainer" same "MAINTAINERS
+M:	A Sender <sender@example.org>" "$(in_tree git diff --name-only HEAD sent; in_tree git diff HEAD sent | grep '^[-+][^-+]')"

refused "a tree is needed" --mail batching
refused "no mail has the instrumentation" --mail instrumentation --tree "$tree"
refused "nor a set that there is not" --mail none --tree "$tree"
refused "of a known version" --mail batching --tree "$tree" 2.6.17
refused "these options belong to --mail" --assisted-by 'A Tool'
tap_done
