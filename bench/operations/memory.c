// SPDX-License-Identifier: GPL-2.0-only
/* Memory and processes: mappings, a minor fault, fork, exec. */
#define _GNU_SOURCE
#include <err.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "operations.h"

#define PAGE	4096
#define REGION	(16 * PAGE)
#define EXECUTED	"/nothing"	/* a static program that exits */
#define CHILD	20000		/* a number that no other process has */

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
const char *fault_start(void)
{
	region = map(REGION);
	region[PAGE] = 1;
	return NULL;
}

void fault_run(void)
{
	region[0] = 1;
}

void fault_after(void)
{
	must(madvise((void *)region, PAGE, MADV_DONTNEED), "madvise");
}

void fault_stop(void)
{
	munmap((void *)region, REGION);
}

static void wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		errx(1, "a child failed");
}

/*
 * All children have the same number: the tree of numbers has as many levels for one as for the
 * other. The call is made here, because a child that shares the stack must not return.
 */
static __always_inline pid_t make_child(unsigned long flags)
{
	static pid_t number = CHILD;
	struct clone_args args = {
		.flags = flags, .exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&number, .set_tid_size = 1,
	};
#ifdef __x86_64__
	long made = SYS_clone3;

	asm volatile("syscall" : "+a" (made) : "D" (&args), "S" (sizeof(args))
		     : "rcx", "r11", "memory");
#else
	register long call asm("x8") = SYS_clone3, size asm("x1") = sizeof(args);
	register long made asm("x0") = (long)&args;

	asm volatile("svc #0" : "+r" (made) : "r" (call), "r" (size) : "memory");
#endif
	if (made < 0)
		errx(1, "clone3: error %ld", -made);
	return made;
}

/* A real-time process: the load of others is computed at each millisecond. */
static const char *child_start(void)
{
	be_real_time(1);
	return NULL;
}

static void child_stop(void)
{
	be_real_time(0);
}

static void fork_run(void)
{
	pid_t child = make_child(0);

	if (!child)
		_exit(0);
	wait_for(child);
}

static void exec_run(void)
{
	static char *const words[] = { EXECUTED, NULL }, *const none[] = { NULL };
	pid_t child = make_child(CLONE_VM | CLONE_VFORK);

	if (!child) {
		execve(EXECUTED, words, none);
		_exit(1);
	}
	wait_for(child);
}

const struct operation memory_operations[] = {
	{ .name = "mmap", .run = mmap_run },
	{ .name = "fault", .start = fault_start, .run = fault_run, .after = fault_after,
	  .stop = fault_stop },
	{ .name = "fork", .start = child_start, .run = fork_run, .stop = child_stop,
	  .many_paths = true },
	{ .name = "exec", .start = child_start, .run = exec_run, .stop = child_stop,
	  .many_paths = true },
	{ }
};
