// SPDX-License-Identifier: GPL-2.0-only
/*
 * operations: runs each micro-operation several times, and prints how many ticks
 * of the time stamp counter each run took.  Under QEMU's -icount shift=0 a tick is
 * an instruction.  Nothing is printed before all is counted.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "operations.h"

#define WARM_UP		3
#define RESTS		15
/* The shortest of many paths is found in more runs. */
#define MANY_RESTS	40
#define MANY_RUNS	8	/* behind each rest */
#define MAX_RUNS	(MANY_RESTS * MANY_RUNS)
#define MAX_OPERATIONS	64
/* A run starts when all has been quiet for this long, at any phase of the tick. */
#define QUIET_NS	5000000
#define VARIED_NS	4000000

/*
 * NOPs with these operands are signals to the plugin of kmark kernel-cost. The plugin counts the
 * instructions between START and STOP, for the operation whose number is that of the NEXT seen so
 * far, and writes its counts at END.
 */
#ifdef __x86_64__
#define MARK(number)	"nopl 0x6b6d000" #number "(%%rax,%%rax,1)"
#else
#define MARK(number)	"hint #0x7" #number
#endif
#define MARK_NEXT	MARK(1)
#define MARK_START	MARK(2)
#define MARK_STOP	MARK(3)
#define MARK_END	MARK(4)

static const char usage[] =
	"usage: operations PHASE [NAME]\n"
	"Prints a line \"operation NAME COUNT...\" for each, in ticks of the time stamp counter,\n"
	"or \"lacking NAME WHAT\". Runs as root in a guest; PHASE varies when they start;\n"
	"NAME is that of the operation of the user, if the program has one.\n"
	"Example:\n"
	"  operations 0\n";

static struct result {
	const char *name, *lacks;
	unsigned int runs;
	unsigned long long ticks[MAX_RUNS];
} results[MAX_OPERATIONS];
static unsigned int found;
static unsigned long state;

long must(long result, const char *what)
{
	if (result < 0)
		err(1, "%s", what);
	return result;
}

/* Instructions so far, under QEMU's -icount; elsewhere than on x86 only the plugin counts them. */
static unsigned long long ticks(void)
{
#ifdef __x86_64__
	unsigned int low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) :: "memory");
	return (unsigned long long)high << 32 | low;
#else
	return 0;
#endif
}

/* Knuth's MMIX generator: the same numbers for the same phase. */
static unsigned long next_number(void)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return state >> 33;
}

/* Let the kernel finish deferred work. */
static void rest(void)
{
	struct timespec pause = { .tv_nsec = QUIET_NS + next_number() % VARIED_NS };

	while (nanosleep(&pause, &pause) && errno == EINTR)
		;
}

static void nothing(void)
{
}

static unsigned long long run_counted(void (*run)(void))
{
	unsigned long long start, stop;

	asm volatile(MARK_START ::: "memory");
	start = ticks();
	run();
	stop = ticks();
	asm volatile(MARK_STOP ::: "memory");
	return stop - start;
}

static void run_once(const struct operation *operation, unsigned long long *ticks)
{
	if (operation->before)
		operation->before();
	if (ticks)
		*ticks = run_counted(operation->run);
	else
		operation->run();
	if (operation->after)
		operation->after();
}

static void count(const struct operation *operation)
{
	const unsigned int rests = operation->many_paths ? MANY_RESTS : RESTS;
	const unsigned int runs = operation->many_paths ? MANY_RUNS : 1;
	struct result *result = &results[found++];
	unsigned int i, j;

	result->name = operation->name;
	result->lacks = operation->start ? operation->start() : NULL;
	asm volatile(MARK_NEXT ::: "memory");
	if (result->lacks)
		return;
	for (i = 0; i < WARM_UP; i++)
		run_once(operation, NULL);
	for (i = 0; i < rests; i++) {
		rest();
		for (j = 0; j <= operation->more; j++)
			run_once(operation, NULL);
		for (j = 0; j < runs; j++)
			run_once(operation, &result->ticks[result->runs++]);
	}
	if (operation->stop)
		operation->stop();
}

static void print_result(const struct result *result)
{
	unsigned int i;

	if (result->lacks) {
		printf("lacking\t%s\t%s\n", result->name, result->lacks);
		return;
	}
	printf("operation\t%s", result->name);
	for (i = 0; i < result->runs; i++)
		printf("\t%llu", result->ticks[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const struct operation empty = { .name = "empty", .run = nothing };
	const struct operation own[] = {
		{ .name = argc == 3 ? argv[2] : NULL, .start = operation_start, .run = operation },
		{ }
	};
	const struct operation *const all[] = {
		simple_operations, network_operations, file_operations, memory_operations,
		pair_operations, opened_operations, own, limited_operations,
	};
	const struct operation *one;
	unsigned int i;
	char *end;

	if (argc == 2 && !strcmp(argv[1], "--help"))
		return fputs(usage, stdout) == EOF;
	state = argc >= 2 ? strtoul(argv[1], &end, 10) : 0;
	if (argc < 2 || argc > 3 || *argv[1] < '0' || *argv[1] > '9' || *end ||
	    (argc == 3 && !operation))
		return fputs(usage, stderr), 2;
	next_number();
	count(&empty);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (one = all[i]; one->name; one++)
			count(one);
	asm volatile(MARK_END ::: "memory");
	for (i = 0; i < found; i++)
		print_result(&results[i]);
	return fflush(stdout) == EOF;
}
