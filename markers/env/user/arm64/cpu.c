// SPDX-License-Identifier: GPL-2.0-only
/*
 * Name of the CPU model, from the identification register MIDR_EL1, which programs may read
 * (HWCAP_CPUID).  /proc/cpuinfo has no names of models on arm64, and under QEMU's user emulation
 * it is the file of the host.
 */
#include <sys/auxv.h>
#include "env.h"
#include "machine.h"

const char *machine_cpu(void)
{
	static char name[24];
	unsigned long midr;

	if (!(getauxval(AT_HWCAP) & HWCAP_CPUID))
		return "unknown";
	asm("mrs %0, midr_el1" : "=r" (midr));
	snprintf(name, sizeof(name), "MIDR_EL1 %08lx", midr);
	return name;
}
