#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Many machines: three namespaces as hosts, one of which fails, and one host that cannot be reached;
# the reports of the others stored and asked. And, in fleet/test_fleet.py, checking, storing, the questions and the exports.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
tools=$(dirname "$(dirname "$here")")
kmark=$tools/kmark
venv=$("$tools/setup" --path fleet) || exit 1
work=$(mktemp -d)
hosts=
cleanup() {
	for pid in $hosts; do
		kill "$pid"
	done
	rm -rf "$work"
}
trap cleanup EXIT
export PYTHONPYCACHEPREFIX="$venv/pycache"

# Run the test classes, a line for each.
for class in Verify Store Exports Inventory; do
	check "$class" env PYTHONPATH="$tools/lib:$here/../unit:$here/fleet" \
		"$venv/bin/python" -P -m unittest -q "test_fleet.$class"
done

# start NAME COMMAND: a namespace with a name, a network and mounts of its own, in which COMMAND
# was run.
start() {
	unshare --map-root-user --uts --net --mount sh -c "hostname $1; $2; touch $work/$1.up; exec sleep 600" >"$work/$1.log" 2>&1 &
	hosts="$hosts $!"
	for _ in $(seq 100); do
		[ ! -e "$work/$1.up" ] || break
		sleep 0.1
	done
	cat >>"$work/hosts.yml" <<-END
		    $1:
		      ansible_connection: local
		      ansible_become: true
		      ansible_become_exe: $work/enter
		      ansible_become_flags: "$!"
	END
}

# Ansible calls it, also for the same user, as it calls sudo: ENTER PID -u root COMMAND...
cat >"$work/enter" <<'END'
#!/bin/sh
pid=$1
shift 3
exec nsenter --target "$pid" --user --preserve-credentials --uts --net --mount "$@"
END
chmod +x "$work/enter"
export ANSIBLE_BECOME_ALLOW_SAME_USER=true
printf 'all:\n  hosts:\n' >"$work/hosts.yml"
start one true
start two true
# A host whose disk is full.
start three 'mount -t tmpfs -o size=100k none /var/tmp'
# Nothing listens there.
cat >>"$work/hosts.yml" <<-END
	    four:
	      ansible_host: 127.0.0.1
	      ansible_port: 9
END

"$kmark" fleet run "$work/hosts.yml" --output "$work/out" --rounds 1 --limit 300s \
	--archive "$work/bench.tar.xz" >"$work/log" 2>&1
check "no archive: says so" holds "$(cat "$work/log")" "bench.tar.xz: not a file"
check "pack" "$kmark" fleet pack -o "$work/bench.tar.xz"

# Where there is no repository, no package and no environment.
mkdir "$work/bare"
tar -xf "$work/bench.tar.xz" -C "$work/bare"
check "packed: no shared library" sh -c "! readelf -d '$work/bare/kmark-bench/build/native/bench' | grep NEEDED"
check "packed: bad option" sh -c "! env -i PATH=/usr/bin:/bin '$work/bare/kmark-bench/measure' --rounds 0"

# While it measures, the folder is looked at.
before=$(ls -d /var/tmp/kmark-* 2>/dev/null)
(
	for _ in $(seq 600); do
		for folder in /var/tmp/kmark-*/; do
			[ ! -e "$folder/kmark-bench" ] || { stat -c %a "$folder" >"$work/mode"; exit; }
		done
		sleep 0.2
	done
) &
"$kmark" fleet run "$work/hosts.yml" --output "$work/out" --rounds 1 --limit 300s \
	--archive "$work/bench.tar.xz" >"$work/log" 2>&1
check "two of four fail: exit status 1" same 1 $?
check "it is named, with the reason" grep -q "^kmark: failed: three: Bring the bench: .*[Nn]o space" "$work/log"
check "so is the one that is not reached" grep -q "^kmark: failed: four: .*ssh.*Connection refused" "$work/log"
check "written down" grep -q "^three: Bring the bench: " "$work"/out/failed-*.txt
check "only these" same 2 "$(grep -c '^kmark: failed: ' "$work/log")"
check "the others are gathered" same "one two" "$(cd "$work/out" && echo */*/raw.tsv.xz | sed 's:/[^ ]*::g')"
check "nothing is left on the hosts" same "$before" "$(ls -d /var/tmp/kmark-* 2>/dev/null)"
check "no folder on a host has a name that others know" sh -c "! grep -nE '/(var/)?tmp/[^ ]*\{\{' '$tools/fleet/playbook.yml'"
check "a folder on a host is its owner's alone" same 700 "$(cat "$work/mode")"
check "report" "$kmark" fleet report "$work/out"
check "add" "$kmark" fleet add "$work/out" --store "$work/store"
check "both are stored" holds "$("$kmark" fleet query 'SELECT host FROM reports ORDER BY host' --store "$work/store" --json |
	tr -d ' \n')" '[{"host":"one"},{"host":"two"}]'
check "it was measured there" same one "$("$venv/bin/python" -I -c "
import json, sys
print(json.load(open(sys.argv[1]))['host']['name'])" "$work"/out/one/*/host.json)"

"$kmark" fleet add "$work/out" --store "$work/store" >"$work/again" 2>&1
check "twice: exit status 1" same 1 $?
check "twice: refused by name" same 2 "$(grep -c 'refused: .*: the same raw data as that of' "$work/again")"
printf 'all:\n  hosts:\n    one: {\n' >"$work/bad.yml"
"$kmark" fleet run "$work/bad.yml" --output "$work/nothing" >"$work/log" 2>&1
check "malformed inventory: file and line" holds "$(cat "$work/log")" "bad.yml:4: not YAML"
check "malformed inventory: nothing is made" test ! -e "$work/nothing"
tap_done
