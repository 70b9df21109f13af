// SPDX-License-Identifier: GPL-2.0-only
/* The name of the model, as the kernel has it from CPUID. */
#include "env.h"
#include "machine.h"

const char *machine_cpu(void)
{
	static char line[256];
	FILE *info = fopen("/proc/cpuinfo", "r");
	char *name = NULL;

	while (!name && info && fgets(line, sizeof(line), info))
		if (!strncmp(line, "model name", 10))
			name = strchr(line, ':');
	if (info)
		fclose(info);
	return name ? strim(name + 1) : "unknown";
}
