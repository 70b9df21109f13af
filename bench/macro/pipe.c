// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes hand one byte to and fro: two wakeups and two context switches for each operation.
 * The processes are batch processes, so the woken one waits until the other blocks; otherwise the
 * clock would influence the order, and runs would differ.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "workloads.h"

static void hand_over(int to)
{
	char byte = 1;

	if (write(to, &byte, 1) != 1)
		err(1, "pipe: write");
}

static void take_over(int from)
{
	char byte;

	if (read(from, &byte, 1) != 1)
		err(1, "pipe: read");
}

int pipe_run(unsigned int ops, char **command, struct span *span)
{
	struct sched_param none = { };
	unsigned int warm_up = 1, i;
	int there[2], back[2];
	pid_t child;

	(void)command;
	if (pipe(there) || pipe(back) || sched_setscheduler(0, SCHED_BATCH, &none))
		err(1, "pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		for (i = 0; i < warm_up + ops; i++) {
			take_over(there[0]);
			hand_over(back[1]);
		}
		_exit(0);
	}
	for (i = 0; i < warm_up + ops; i++) {
		if (i == warm_up)
			span_start(span);
		hand_over(there[1]);
		take_over(back[0]);
	}
	span_stop(span);
	if (waitpid(child, NULL, 0) != child)
		err(1, "waitpid");
	return 0;
}
