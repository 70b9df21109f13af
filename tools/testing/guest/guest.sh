# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# On the host, for tests that boot a guest. A test of this folder is one file, which runs on the host
# and again in the guest: lib.sh has it boot what its line "# guest:" says, in these words:
#   cpus=N		2 if it does not say
#   host_root=yes	the host's root is at /host, with programs of the guest's architecture; the first two
#			arguments are then the tree and the home directory, in that root
#   accel=NAME		the accelerator
#   icount=yes		instructions are counted, on one CPU
#   append=WORDS	for the kernel's command line
#   timeout=SECONDS
#   memory=MIB
#   arch=x86_64		the test is for that alone
#   debug=useful	in a kernel with KASAN and lockdep it finds more
#   drivers=MODULES	of the kernel, for modprobe
#   script=FILE		what runs in the guest, another file of this folder
# A test with a function on_host() prepares there what it needs, sets more of these variables, and
# calls boot with the arguments of its part in the guest. All modules go into the guest, or $modules.
# Others source this file and call guest(). $kernel is the folder of a kernel that `kmark dev kernel` has
# made. ARCH is the guest's architecture, x86_64 or arm64; KERNEL has the words of `kmark dev kernel` for
# another kernel than the distribution's, such as "--stock 6.12", and DEBUG=1 has those for Linux 6.1
# as it came, with KASAN, lockdep and the like; SMP is another number of CPUs, CPU another model of
# QEMU's, and APPEND is more for the command line. A splat in the guest's log is one more failed test.
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
# Programs for the guest, below $top.
# shellcheck disable=SC2034 # suites read it
case ${ARCH-} in
arm64) native=build/arm64/native ;;
*) native=build/native ;;
esac
[ ! "${DEBUG:-}" ] || KERNEL=${KERNEL:-"--vanilla --debug 6.1"}
# While Linux 7.2 identifies the boot CPU, an interrupt makes KASAN take addresses of the kernel for wild
# ones if there are five levels of page tables: the feature bit that it asks for is cleared meanwhile.
[ ! "${DEBUG:-}" ] || APPEND="no5lvl ${APPEND:-}"

# not_on ARCHITECTURE WHY: the whole suite is skipped there.
not_on() {
	[ "${ARCH:-x86_64}" = "$1" ] || return 0
	echo "1..0 # SKIP $2"
	exit
}

# boot_test: boots the guest of a test of this folder, and ends.
boot_test() {
	eval "$(sed -n 's/^# guest: //p' "$0")"
	# shellcheck disable=SC2154 # they are words of that line
	[ ! "${arch:-}" ] || [ "${ARCH:-$arch}" = "$arch" ] || not_on "$ARCH" "it is about $arch"
	[ ! "${debug:-}" ] || [ "${KERNEL:-}" ] || echo "# without KASAN and lockdep; DEBUG=1 is with them"
	if type on_host >/dev/null 2>&1; then
		on_host
	else
		boot
	fi
	exit
}

# boot [ARGUMENT...]: for on_host(). Ends with the guest.
boot() {
	if [ "${host_root:-}" ]; then
		make -s -C "$top" "$native/check_packets" >&2 || exit 1
		set -- "$top" "$HOME" "$@"
	fi
	guest "$here/${script:-${0##*/}}" "${cpus:-2}" "$@"
}

# in_guest SCRIPT CPUS [ARGUMENT...]: runs it there; its output and status are those of the script.
in_guest() {
	script=$1
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
		return 1
	fi
	# shellcheck disable=SC2086
	"$top/tools/kmark" dev vm --arch "${ARCH:-x86_64}" ${host_root:+--host-root} ${icount:+--icount} ${drivers:+--modules $drivers} ${memory:+--memory "$memory"M} ${kernel:+--kernel "$kernel"} \
		--append "${append:-} ${APPEND:-}" ${CPU:+--cpu "$CPU"} --accel "${accel:-auto}" --smp "$cpus" --timeout "${timeout:-600}s" $adds --add "$top/tools/testing/tap.sh" \
		--add "$top/tools/testing/guest/lib.sh" -- "$script" "$@"
}

# guest SCRIPT CPUS [ARGUMENT...]: the same; the output of the script is the TAP of the test, which ends.
guest() {
	out=$(mktemp)
	in_guest "$@" >"$out"
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

# use_kernel WORDS: guest() then boots the kernel that `kmark dev kernel WORDS` prints, and loads
# modules built for that. Builds or fetches it the first time: minutes.
use_kernel() {
	if ! kernel=$("$top/tools/kmark" dev kernel "$@") ||
		! folder=$("$top/tools/kmark" dev kernel --modules "$@"); then
		echo "not ok 1 - kmark dev kernel $* is built, and modules for it"
		echo "1..1"
		exit 1
	fi
	modules=$(find "$folder" -name '*.ko' | sort)
	timeout=${timeout:-1200}
	memory=1024
}
