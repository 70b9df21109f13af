#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The planted errors in files that have changed, but for those that need a guest, and what the tool
# that plants them says when one survives, does not apply or does not build. All of them:
# mutants/run.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
run=$here/mutants/run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# entry NAME FUNCTION CHANGE [MORE]: of a list, in the gates of arm64.
entry() {
	cat <<END
[[mutant]]
name = "$1"
kind = "logic"
file = "markers/arch/arm64/gates.c"
function = "$2"
$3
suites = ["arm64-gates"]
$4
END
}

# ends STATUS WORDS...: the tool does, and has printed $expected.
ends() {
	wanted=$1
	shift
	"$run" "$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ "$status" = "$wanted" ] && holds "$(cat "$work/out")" "$expected"
}

expected=usage:
check "a tenth that is no number is refused" ends 2 --tenth x
expected="no planted error is selected"
check "a name that none has is refused" ends 2 --only no-such-name
entry stale encode_nop5 'drop = "no such text"' >"$work/stale"
expected="stale: expected 'no such text' in encode_nop5() once in markers/arch/arm64/gates.c, found it 0 times"
check "an error that does not apply is no kill" ends 2 --list "$work/stale"
entry stale no_such_function 'drop = "x"' >"$work/stale"
expected="stale: expected the function no_such_function once in markers/arch/arm64/gates.c, found it 0 times"
check "nor is one in a function that is not there" ends 2 --list "$work/stale"
entry broken encode_nop5 'old = "INSN_NOP"
new = "("' >"$work/broken"
expected="broken: does not build"
check "an error that does not build is no kill" ends 2 --list "$work/broken"
{
	entry harmless reaches 'old = "offset >= -BRANCH_REACH"
new = "offset + BRANCH_REACH >= 0"'
	entry expected reaches 'old = "(const u8 *)to - code"
new = "-(code - (const u8 *)to)"' 'survives = "it is the same"'
	entry nop encode_nop5 'old = "cold) : marker_insn_put(bytes, INSN_NOP)"
new = "cold) : marker_insn_put(bytes, INSN_NOP - 1)"'
} >"$work/three"
expected="1 of 3 killed, 33.3 %; 1 not as listed"
check "an error that survives ends with status 1" ends 1 --list "$work/three"
check "it is named" holds "$(cat "$work/out")" "SURVIVED  harmless (logic)"
check "one that may survive has its reason" holds "$(cat "$work/out")" "it is the same"
check "one that is killed has its suite" holds "$(cat "$work/out")" "killed    nop (logic): arm64-gates"

"$run" --names | sed 's/.*: //' | sort -u >"$work/all"
{ git -C "$here" diff --name-only HEAD~1 2>/dev/null || git -C "$here" ls-files --full-name; } | sort >"$work/changed"
check "--changed takes those in files that have changed" same "$(comm -12 "$work/all" "$work/changed")" \
	"$("$run" --changed --names | sed 's/.*: //' | sort -u)"
no_guest() {
	"$run" --no-guests --names --json >"$work/names"
	holds "$(cat "$work/names")" '"boundaries"' && same "" "$(grep -E '"guest/' "$work/names")"
}
check "those without guests boot none" no_guest
all_boot() {
	"$run" --guests --names --json >"$work/names"
	holds "$(cat "$work/names")" '"guest/core"' && same "$(grep -c '"suites": ' "$work/names")" \
		"$(tr -d '\n' <"$work/names" | grep -oE '"suites": \[[^]]*"guest/' | wc -l)"
}
check "those with guests all do" all_boot

# sampled SEED: the names and the changes of random errors.
sampled() {
	"$run" --sample 400 --seed "$1" --names
}
sampled 1 >"$work/first"
check "a seed always draws the same errors" same "$(cat "$work/first")" "$(sampled 1)"
check "another seed draws others" test "$(cat "$work/first")" != "$(sampled 2)"
check "they are of the modules, the probes and the tools, and none of a test" same "markers probes tools" \
	"$(sed -n 's,^\([a-z]*\)/.*:[0-9]*: .*,\1,p' "$work/first" | sort -u | paste -s -d ' ')"

# Pairs of texts: "same" if Python does the same with both, or refuses the second.
cat >"$work/pairs.py" <<'END'
import sample
PAIRS = (
    ("def f(x: int) -> int:\n    return x", "def f(x):\n    return x"),
    ("a: int = 1", "a: str = 1"),
    ("def f():\n    'what it does'\n    return 1", "def f():\n    return 1"),
    ("for i in a:\n    if i:\n        g()", "for i in a:\n    if i:\n        g()\n        continue"),
    ("def f():\n    g()", "def f():\n    g()\n    return"),
    ("def f():\n    g()", "def f():\n    g()\n    pass  # nothing"),
    ("def f():\n    assert x\n    g()", "def f():\n    pass\n    g()"),
    ("for i in a:\n    g()\n    break\n", "for i in a:\n    g()\n    break\n    continue"),
    ("a = 1", "a = = 1"),
    ("break", "break"),
    ("a = 1", "a = 2"),
    ("a: int = 1", "a: int = 2"),
    ("def f():\n    g()", "def f():\n    return g()"),
    ("def f():\n    g()\n    h()", "def f():\n    g()\n    return\n    h()"),
    ("for i in a:\n    g()\nh()", "for i in a:\n    g()\n    break\nh()"),
    ("for i in a:\n    if i:\n        g()\n    h()", "for i in a:\n    if i:\n        g()\n        continue\n    h()"),
    ("def f():\n    if x:\n        g()\n    h()", "def f():\n    if x:\n        g()\n        return\n    h()"),
)
print(*("other" if sample.is_other_python(*pair) else "same" for pair in PAIRS))
END
venv=$("$here/../../setup" --path mutants) || exit 1
check "a change that Python does not see is none" same "same same same same same same same same same same other other other other other other other" \
	"$(PYTHONPATH="$here/../../lib:$here/mutants" "$venv/bin/python" -B "$work/pairs.py")"

expected="0 not as listed"
check "those in files that have changed" ends 0 --changed --no-guests
grep -E '^(kind|suite|mutants: [0-9]+ of) ' "$work/out" | sed 's/^/# /'
tap_done
