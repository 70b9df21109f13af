# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For suites that run in a guest: guest NAME CPUS [ARGUMENT...] boots one with
# all the modules and runs guest/NAME.sh there, whose output is the TAP of the
# suite; $accel chooses the accelerator, $host_root puts the host's root at
# /host, with programs of the guest's architecture; $icount counts instructions, on one
# CPU; $drivers are modules of the kernel for modprobe; $kernel is the folder of a kernel that
# `kmark kernel` has made, $append what its command line gets, $modules are modules that were built for it; $timeout is in seconds,
# $memory in MiB. ARCH is the guest's architecture, x86_64 or arm64; KERNEL has the words of
# `kmark kernel` for another kernel than the distribution's, such as "--stock 6.12", and DEBUG=1
# has those for Linux 6.1 as it came, with KASAN, lockdep and the like; SMP is another number of
# CPUs, CPU another model of QEMU's, and APPEND is more for the command line.
# A splat in the guest's log is one more failed test.
here=$(dirname "$(readlink -f "$0")")
here=${here%/defects}
here=${here%/long}
top=$(readlink -f "$here/../..")
# Programs for the guest, below $top.
# shellcheck disable=SC2034 # suites read it
case ${ARCH-} in
arm64) native=build/arm64/native ;;
*) native=build/native ;;
esac
[ ! "${DEBUG:-}" ] || KERNEL=${KERNEL:-"--vanilla --debug 6.1"}

# not_on ARCHITECTURE WHY: the whole suite is skipped there.
not_on() {
	[ "${ARCH:-x86_64}" = "$1" ] || return 0
	echo "1..0 # SKIP $2"
	exit
}

guest() {
	name=$1
	cpus=${SMP:-$2}
	shift 2
	choose_modules
	adds=
	for module in $modules; do
		adds="$adds --add $module"
	done
	if [ ! "$adds" ]; then
		echo "not ok 1 - there are modules for ${ARCH-}: make modules ARCH=${ARCH-}"
		echo "1..1"
		exit 1
	fi
	out=$(mktemp)
	# shellcheck disable=SC2086
	"$top/tools/kmark" vm --arch "${ARCH:-x86_64}" ${host_root:+--host-root} ${icount:+--icount} ${drivers:+--modules $drivers} ${memory:+--memory "$memory"} ${kernel:+--kernel "$kernel"} \
		--append "${append:-} ${APPEND:-}" ${CPU:+--cpu "$CPU"} --accel "${accel:-auto}" --smp "$cpus" --timeout "${timeout:-600}" $adds --add "$here/tap.sh" \
		--add "$here/guest/lib.sh" -- "$here/guest/$name.sh" "$@" >"$out"
	status=$?
	if [ $status = 0 ] && grep '^1\.\.0 # SKIP' "$out"; then
		rm -f "$out"
		exit
	fi
	grep -v '^1\.\.' "$out"
	grep -A 4 '^not ok' "$out" >&2
	count=$(($(grep -cE '^(not )?ok ' "$out") + 1))
	plan=$(sed -n 's/^1\.\.//p' "$out")
	rm -f "$out"
	if [ $status -gt 1 ] || [ "$plan" != $((count - 1)) ]; then
		echo "not ok $count - the guest ends well (status $status, plan ${plan:-missing})"
		[ $status != 0 ] || status=1
	else
		echo "ok $count - the guest ends well, no splat in its log"
	fi
	echo "1..$count"
	exit $status
}

# choose_modules: $modules, unless they are chosen; for KERNEL, unless $kernel is chosen.
choose_modules() {
	if [ "${KERNEL:-}" ] && [ ! "${kernel:-}" ]; then
		# shellcheck disable=SC2086
		use_kernel $KERNEL
	fi
	modules=${modules:-$(make -s -C "$top" list-modules | sed "s|[^ ][^ ]*|$top/&|g")}
}

# use_kernel WORDS: guest() then boots the kernel that `kmark kernel WORDS` prints, and loads
# modules built for that. Builds or fetches it the first time: minutes.
use_kernel() {
	if ! kernel=$("$top/tools/kmark" kernel "$@") ||
		! folder=$("$top/tools/kmark" kernel --modules "$@"); then
		echo "not ok 1 - kmark kernel $* is built, and modules for it"
		echo "1..1"
		exit 1
	fi
	modules=$(find "$folder" -name '*.ko' | sort)
	timeout=${timeout:-1200}
	memory=1024
}

# wants_debug_kernel: the suite finds more in one, and says so elsewhere.
wants_debug_kernel() {
	[ "${KERNEL:-}" ] || echo "# without KASAN and lockdep; DEBUG=1 is with them"
}
