// SPDX-License-Identifier: GPL-2.0-only
/*
 * The identification register: /proc/cpuinfo has no names of models, and under user
 * emulation it is the host's.  The kernel lets programs read the register (HWCAP_CPUID).
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
