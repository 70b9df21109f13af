#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# where.sh CPUS EMULATOR WANTED[,WANTED...]
# Print the kernel of the guest, its CPUs, preemption and mitigations, and the emulator. Each of WANTED,
# with commas between, has to be in that.
# guest: cpus=2

on_host() {
	case ${ARCH:-x86_64} in
	arm64) emulator=qemu-system-aarch64 ;;
	*) emulator=qemu-system-x86_64 ;;
	esac
	version=$($emulator --version | sed -n '1s/.*version \([0-9.]*\).*/QEMU \1/p')
	boot "${SMP:-2}" "$version" "${WANTED:-}"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# preemption: the mode of a kernel that has several, which stands in parentheses.
preemption() {
	sed -n 's/.*(\(.*\)).*/, preemption \1/p' /sys/kernel/debug/sched/preempt 2>/dev/null
}

cpus=$(grep -c '^processor' /proc/cpuinfo)
retbleed=$(cat /sys/devices/system/cpu/vulnerabilities/retbleed 2>/dev/null)
guest="$(uname -rv), $cpus CPUs$(preemption), retbleed: ${retbleed:-unknown}, $2"
echo "# guest: $guest"
check "as many CPUs as wanted" same "$1" "$cpus"
IFS=,
for wanted in $3; do
	unset IFS
	check "it is what is wanted: $wanted" holds "$guest" "$wanted"
done
tap_done
