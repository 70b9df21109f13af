// SPDX-License-Identifier: GPL-2.0-only
/* The list of steps; see steps.h. */
#include <stdio.h>
#include <stdlib.h>
#include "steps.h"

static struct {
	const char *words, *name;
} steps[4096];
static unsigned int n_steps;

void steps_note(const char *words, const char *name)
{
	if (n_steps == sizeof(steps) / sizeof(*steps))
		abort();
	steps[n_steps].words = words;
	steps[n_steps++].name = name;
}

void steps_print(void)
{
	unsigned int i;

	for (i = 0; i < n_steps; i++) {
		fputs("STEP ", stdout);
		fputs(steps[i].words, stdout);
		if (steps[i].name)
			printf(" %s", steps[i].name);
		putchar('\n');
	}
}
