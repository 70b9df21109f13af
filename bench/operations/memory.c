// SPDX-License-Identifier: GPL-2.0-only
/* Memory and processes: mappings, a minor fault, fork, exec. */
#define _GNU_SOURCE
#include <err.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "operations.h"

#define PAGE	4096
#define REGION	(16 * PAGE)

static volatile char *region;

static void *map(size_t size)
{
	void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (found == MAP_FAILED)
		err(1, "mmap");
	return found;
}

static void mmap_run(void)
{
	must(munmap(map(PAGE), PAGE), "munmap");
}

/* The page behind has been touched, so page tables are there. */
static const char *fault_start(void)
{
	region = map(REGION);
	region[PAGE] = 1;
	return NULL;
}

static void fault_run(void)
{
	region[0] = 1;
}

static void fault_after(void)
{
	must(madvise((void *)region, PAGE, MADV_DONTNEED), "madvise");
}

static void fault_stop(void)
{
	munmap((void *)region, REGION);
}

static void wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		errx(1, "a child failed");
}

static void fork_run(void)
{
	pid_t child = must(fork(), "fork");

	if (!child)
		_exit(0);
	wait_for(child);
}

static void exec_run(void)
{
	char *const words[] = { (char *)program, "exit", NULL }, *const none[] = { NULL };
	pid_t child = must(vfork(), "vfork");

	if (!child) {
		execve(program, words, none);
		_exit(1);
	}
	wait_for(child);
}

const struct operation memory_operations[] = {
	{ .name = "mmap", .run = mmap_run },
	{ .name = "fault", .start = fault_start, .run = fault_run, .after = fault_after,
	  .stop = fault_stop },
	{ .name = "fork", .run = fork_run },
	{ .name = "exec", .run = exec_run },
	{ }
};
