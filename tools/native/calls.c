// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every way from a site to a probe: through the link of a generic site or the
 * patched call of another, the dispatcher, a guard, a function that bind() chose.
 * Prints TAP.  Compiled with -fsanitize=kcfi, a call through a pointer of another
 * type than the function's ends in SIGILL, as it ends in an oops in a kernel; so
 * each way is run in a process of its own.
 */
#include <err.h>
#include <sys/wait.h>
#include "command.h"
#include "marker.h"
#include "marker_probe.h"
#include "self.h"

#define TIMES	3
#define EIGHT	"arg0==1 && arg2==3 && arg3==4 && arg4==5 && arg7==8"

#define FIELDS	"port==80 && path==/x && mac==\"61 62 63\" && state==CALLS_BUSY && state==7"

enum { CALLS_IDLE, CALLS_BUSY = 7 };

static unsigned int counted;

static void notrace count(MARKER_PARAMS)
{
	WRITE_ONCE(counted, counted + 1);
}

static void notrace count_more(MARKER_PARAMS)
{
	WRITE_ONCE(counted, counted + 10);
}

static struct marker_probe count_probe = { .name = "count", .func = count, .leaf = true };
static struct marker_probe more_probe = { .name = "more", .func = count_more, .leaf = true };

static noinline void fire(void)
{
	MARK_GENERIC(calls_generic, "%d %p", 7, NULL);
	MARK_GENERIC(calls_generic_eight, "%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8);
	MARK(calls_mark, "%d %p", 7, NULL);
	MARK(calls_mark_five, "%d %d %d %d %d", 1, 2, 3, 4, 5);
	MARK_FIELDS(calls_fields, field(u16, port, (u16)80), field(str, path, "/x"),
		    bytes(mac, 3, "abc"), symbolic(state, 7, CALLS_IDLE, CALLS_BUSY));
	MARK(calls_mark_eight, "%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8);
}

static const struct way {
	const char *what;
	const char *commands;
	unsigned int expected;		/* of @counted, for one event */
} ways[] = {
	{ "generic, one probe", "connect calls_generic count", 1 },
	{ "generic, two probes", "connect calls_generic count; connect calls_generic more", 11 },
	{ "generic, a condition", "connect calls_generic count if arg0==7", 1 },
	{ "generic, a condition that does not hold", "connect calls_generic count if arg0==6", 0 },
	{ "generic, a limit behind the dispatcher",
	  "connect calls_generic count first=9; connect calls_generic more", 11 },
	{ "generic, a function of bind()", "connect calls_generic ctf", 0 },
	{ "generic, eight arguments", "connect calls_generic_eight count if " EIGHT, 1 },
	{ "generic, eight arguments, a function of bind()", "connect calls_generic_eight ctf", 0 },
	{ "patched, one probe", "connect calls_mark count", 1 },
	{ "patched, two probes", "connect calls_mark count; connect calls_mark more", 11 },
	{ "patched, a condition behind the dispatcher",
	  "connect calls_mark count if arg0==7; connect calls_mark more", 11 },
	{ "patched, a function of bind() behind the dispatcher",
	  "connect calls_mark ctf; connect calls_mark count", 1 },
	{ "patched, five arguments",
	  "connect calls_mark_five count if arg0==1 && arg2==3 && arg3==4 && arg4==5", 1 },
	{ "patched, eight arguments", "connect calls_mark_eight count if " EIGHT, 1 },
	{ "fields, a condition on each", "connect calls_fields count if " FIELDS, 1 },
	{ "fields, a condition on each that does not hold",
	  "connect calls_fields count if !(" FIELDS ")", 0 },
	{ "fields, a function of bind()", "connect calls_fields ctf", 0 },
};

static int run(const struct way *way)
{
	unsigned int i;
	int ret;

	self_register_sites();
	ret = marker_probe_register(&count_probe) ?: marker_probe_register(&more_probe) ?:
	      marker_command_execute(way->commands);
	if (ret) {
		printf("# %s: %s\n", way->commands, strerror(-ret));
		return 1;
	}
	for (i = 0; i < TIMES; i++)
		fire();
	if (counted == TIMES * way->expected)
		return 0;
	printf("# counted %u, expected %u\n", counted, TIMES * way->expected);
	return 1;
}

/* True if the way was gone to its end. */
static bool try(const struct way *way)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		exit(run(way));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		err(1, "no process");
	if (WIFSIGNALED(status))
		printf("# killed: %s\n", strsignal(WTERMSIG(status)));
	return !status;
}

int main(void)
{
	unsigned int i, bad = 0;

	printf("1..%zu\n", ARRAY_SIZE(ways));
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		bool good = try(&ways[i]);

		printf("%sok %u - %s\n", good ? "" : "not ", i + 1, ways[i].what);
		bad += !good;
	}
	return !!bad;
}
