#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `kmark dev convert` converts the events of kernel $K (default 6.1): in that kernel, with the series, the
# events of these markers have the fields of the kernel's own events of the same names. Builds the kernel
# the first time: minutes.
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
K=${K:-6.1}
"$top/tools/setup" kernel vm || exit 1
venv=$("$top/tools/setup" --path python) || exit 1
export PYTHONPATH="$top/tools/lib" PYTHONPYCACHEPREFIX="$venv/pycache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bail() {
	echo "Bail out! $1"
	{ grep -E "error|warning|undefined" "$work/log" || tail -n 20 "$work/log"; } 2>/dev/null | head -n 20 >&2
	exit 1
}
kernel=$("$top/tools/kmark" dev kernel "$K") || bail "Linux $K is not built"
# Headers that patches/config/small is enough for; some have events of other options, too.
count=$("$venv/bin/python" "$here/../guest/convert/module.py" "$kernel" "$work" alarmtimer block cpuhp csd fib \
	filemap icmp initcall ipi irq migrate mmap module napi neigh net percpu \
	power printk qdisc rcu signal skb syscalls task timer tlb udp vmalloc) ||
	bail "nothing is converted"
make -C "$kernel" M="$work" modules >"$work/log" 2>&1 || bail "it does not compile"
echo "# $count events are compiled" >&2
timeout 300 "$top/tools/kmark" dev vm --kernel "$kernel" --add "$work/converted.ko" -- \
	"$here/../guest/convert/guest.sh" >"$work/out" 2>"$work/log" || bail "the guest fails"
"$venv/bin/python" "$here/../guest/convert/formats.py" "$work/out" 100
