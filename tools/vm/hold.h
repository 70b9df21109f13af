/* SPDX-License-Identifier: GPL-2.0-only */
/* A process in the background that holds what a script of the guest needs for a while. */
#ifndef HOLD_H
#define HOLD_H

#include <err.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Keep open file descriptors open in a process of their own, which first calls @begin, unless it is
 * NULL.  Print the number of the process, to end it with.  Return the exit status.
 */
static inline int hold(void (*begin)(void))
{
	int ready[2];
	pid_t child;
	char byte = 0;

	if (pipe(ready))
		err(1, "pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child) {
		close(ready[1]);
		if (read(ready[0], &byte, 1) != 1)
			return 1;
		printf("%d\n", child);
		return 0;
	}
	if (begin)
		begin();
	if (write(ready[1], &byte, 1) != 1)
		err(1, "write");
	close(ready[0]);
	close(ready[1]);
	/* Close the output, so that its reader sees the end although this process stays. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	pause();
	return 0;
}

#endif
