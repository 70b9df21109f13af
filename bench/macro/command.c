// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workloads that are programs of others: a compiler, whose files no cache holds
 * when it starts, perf bench, which times itself, and ping -f.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "workloads.h"

#define CACHES		"/proc/sys/vm/drop_caches"
#define NO_COMMAND	127

static _Noreturn void execute(char **command, int out)
{
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execvp(command[0], command);
	fprintf(stderr, "macro: %s: %s\n", command[0], strerror(errno));
	_exit(NO_COMMAND);
}

static int wait_for(pid_t child, const char *name)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		err(1, "waitpid");
	if (status)
		warnx("%s failed: status %#x", name, status);
	return status != 0;
}

/* Drop the caches of pages, names and inodes. */
static void drop_caches(void)
{
	int fd = open(CACHES, O_WRONLY);

	sync();
	if (fd < 0 || write(fd, "3", 1) != 1)
		err(1, CACHES);
	close(fd);
}

static int run_cold(char **command, struct span *span)
{
	pid_t child;

	drop_caches();
	span_start(span);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child)
		execute(command, -1);
	if (wait_for(child, command[0]))
		return 1;
	span_stop(span);
	return 0;
}

/* Every operation is one run of the command; only it is measured, the caches are not. */
int compile_run(unsigned int ops, char **command, struct span *span)
{
	struct span one, sum = { };
	unsigned int i;

	for (i = 0; i < ops; i++) {
		if (run_cold(command, &one))
			return 1;
		sum.ticks += one.ticks;
		sum.ns += one.ns;
		sum.idle_ns += one.idle_ns;
		sum.events += one.events;
	}
	*span = sum;
	return 0;
}

/*
 * perf bench prints "N usecs/op" of its loop alone, without ticks, so the ticks are computed with
 * the rate of the clock meanwhile. Its clock resolves 1 us of the whole loop. The events are those
 * of the loop and of the program's start.
 */
int perf_run(unsigned int ops, char **command, struct span *span)
{
	double us_per_op = -1, per_ns;
	char line[256];
	int out[2];
	pid_t child;
	FILE *printed;

	if (pipe2(out, O_CLOEXEC))
		err(1, "pipe");
	span_start(span);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child)
		execute(command, out[1]);
	close(out[1]);
	printed = fdopen(out[0], "r");
	while (printed && fgets(line, sizeof(line), printed))
		if (strstr(line, "usecs/op"))
			sscanf(line, " %lf", &us_per_op);
	if (printed)
		fclose(printed);
	if (wait_for(child, command[0]))
		return 1;
	span_stop(span);
	if (us_per_op < 0) {
		warnx("%s did not say how many usecs/op", command[0]);
		return 1;
	}
	per_ns = (double)span->ticks / span->ns;
	span->idle_ns = 0;
	span->ns = us_per_op * ops * 1000 + 0.5;
	span->ticks = span->ns * per_ns + 0.5;
	return 0;
}

/*
 * The command does all operations, as its own arguments say; the measurement includes its start
 * and its end. Its output goes to stderr.
 */
int flood_run(unsigned int ops, char **command, struct span *span)
{
	pid_t child;

	(void)ops;
	span_start(span);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child)
		execute(command, STDERR_FILENO);
	if (wait_for(child, command[0]))
		return 1;
	span_stop(span);
	return 0;
}
