// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations of two processes on one CPU. Both are SCHED_FIFO with the same priority, so the next
 * process to run depends only on blocking and yielding, never on a clock.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>
#include "operations.h"

#define YIELDS	3	/* yields of the peer: before, while and after a run */

static int there[2], back[2];
static pid_t peer;
static uint32_t *word;

void be_real_time(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	must(sched_setscheduler(0, priority ? SCHED_FIFO : SCHED_OTHER, &param),
	     "sched_setscheduler");
}

static void start_peer(void (*loop)(void))
{
	must(pipe(there), "pipe");
	must(pipe(back), "pipe");
	be_real_time(1);
	peer = must(fork(), "fork");
	if (!peer) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			loop();
	}
}

static void stop_peer(void)
{
	int i;

	kill(peer, SIGKILL);
	waitpid(peer, NULL, 0);
	for (i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
	be_real_time(0);
}

static void put(int fd)
{
	must(write(fd, "x", 1), "write");
}

static void get(int fd)
{
	char byte;

	must(read(fd, &byte, 1), "read");
}

static void answer(void)
{
	get(there[0]);
	put(back[1]);
}

const char *pipe_start(void)
{
	start_peer(answer);
	return NULL;
}

void pipe_run(void)
{
	put(there[1]);
	get(back[0]);
}

void pipe_stop(void)
{
	stop_peer();
}

static void yield_some(void)
{
	int i;

	get(there[0]);
	for (i = 0; i < YIELDS; i++)
		sched_yield();
}

static const char *switch_start(void)
{
	start_peer(yield_some);
	return NULL;
}

static void switch_before(void)
{
	put(there[1]);
	sched_yield();
}

/* Switch to the peer and back: two switches. */
static void switch_run(void)
{
	sched_yield();
}

static void sleep_on_word(void)
{
	syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static const char *futex_start(void)
{
	if (syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) < 0)
		return "futex()";
	word = mmap(NULL, sizeof(*word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (word == MAP_FAILED)
		return "mmap()";
	start_peer(sleep_on_word);
	return NULL;
}

/* The peer sleeps, and is made runnable. */
static void futex_run(void)
{
	must(syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0), "futex");
}

static void futex_stop(void)
{
	stop_peer();
	munmap(word, sizeof(*word));
}

static void let_peer_run(void)
{
	sched_yield();
}

const struct operation pair_operations[] = {
	{ .name = "pipe", .start = pipe_start, .run = pipe_run, .stop = pipe_stop },
	{ .name = "switch", .start = switch_start, .before = switch_before, .run = switch_run,
	  .after = let_peer_run, .stop = stop_peer },
	{ .name = "futex", .start = futex_start, .before = let_peer_run, .run = futex_run,
	  .after = let_peer_run, .stop = futex_stop },
	{ }
};
