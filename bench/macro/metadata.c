// SPDX-License-Identifier: GPL-2.0-only
/*
 * A storm of metadata in the current folder.  One operation is the life of a file
 * in a folder of its own: mkdir, create, close, stat, rename, stat, unlink, rmdir.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "workloads.h"

static void must(int result, const char *what)
{
	if (result < 0)
		err(1, "metadata: %s", what);
}

static void live(unsigned int number)
{
	char folder[32], file[64], renamed[64];
	struct stat found;
	int fd;

	snprintf(folder, sizeof(folder), "macro.%u", number);
	snprintf(file, sizeof(file), "%s/file", folder);
	snprintf(renamed, sizeof(renamed), "%s/renamed", folder);
	must(mkdir(folder, 0700), folder);
	fd = open(file, O_CREAT | O_EXCL | O_WRONLY, 0600);
	must(fd, file);
	must(close(fd), file);
	must(stat(file, &found), file);
	must(rename(file, renamed), renamed);
	must(stat(renamed, &found), renamed);
	must(unlink(renamed), renamed);
	must(rmdir(folder), folder);
}

int metadata_run(unsigned int ops, char **command, struct span *span)
{
	unsigned int i;

	(void)command;
	live(ops);
	span_start(span);
	for (i = 0; i < ops; i++)
		live(i);
	span_stop(span);
	return 0;
}
