# SPDX-License-Identifier: GPL-2.0-only
# Completion of kmark: eval "$(tools/kmark completion bash)"
_kmark() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]-}
	local root=/sys/kernel/debug/markers words=
	_kmark_names() { sed -n '/^#/!s/\t.*//p' "$root/$1" 2>/dev/null; }
	case $COMP_CWORD:$verb:$prev in
	1:*) words="bench report compare baseline thread vm list verify connect arm disconnect completion --help" ;;
	*:*:--env) words="native vm uml" ;;
	*:*:--accel) words="auto tcg kvm" ;;
	*:*:--out | *:*:--file | *:*:--margin | *:*:--log | *:*:--add | *:*:--root) ;;
	2:list:*) words="markers sites probes --json --root" ;;
	2:connect:* | 2:arm:* | 2:disconnect:*) words=$(_kmark_names markers) ;;
	3:connect:* | 3:arm:* | 3:disconnect:*) words=$(_kmark_names probes) ;;
	2:completion:*) words=bash ;;
	*:bench:*) words="--env --rounds --out --json --help" ;;
	*:compare:*) [[ $cur != -* ]] || words="--margin --json --help" ;;
	*:baseline:*) words="--write --file --json --help" ;;
	*:vm:*) words="--icount --smp --timeout --accel --add --modules --host-root --log --help" ;;
	*:thread:*) words="--json --help" ;;
	*:list:* | *:verify:*) words="--json --root --help" ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -o filenames -F _kmark kmark tools/kmark
