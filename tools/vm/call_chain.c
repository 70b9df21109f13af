// SPDX-License-Identifier: GPL-2.0-only
/*
 * call_chain EVENT FILE: writes to FILE while a trace event, such as "sched/sched_switch", is
 * an event of perf for this process, and prints the functions of the kernel in the call chain of
 * the first sample, the innermost first.  1: the kernel refused, or there was no sample; 2: wrong
 * use.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in the bare guest.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES		8
#define DEPTH_MAX	64

static int fail(const char *what)
{
	fprintf(stderr, "call_chain: %s: %s\n", what, strerror(errno));
	return 1;
}

/* Return the number of the event in tracefs, or -1. */
static int id_of(const char *event)
{
	char path[256];
	FILE *file;
	int id = -1;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", event);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &id) != 1)
		id = -1;
	fclose(file);
	return id;
}

/* Print the function of an address, which is the last symbol that is not above it. */
static void print_function(uint64_t address)
{
	char line[512], name[256], best[256] = "?";
	unsigned long long at, best_at = 0;
	FILE *file = fopen("/proc/kallsyms", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &at, name) == 2 && at <= address &&
		    at > best_at) {
			best_at = at;
			strcpy(best, name);
		}
	if (file)
		fclose(file);
	puts(best);
}

struct sample {
	struct perf_event_header header;
	uint64_t nr;
	uint64_t ips[DEPTH_MAX];
};

static int print_sample(const struct perf_event_mmap_page *page, long page_size)
{
	const struct sample *sample = (const void *)((const char *)page + page_size);
	uint64_t i;

	if (!__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) ||
	    sample->header.type != PERF_RECORD_SAMPLE) {
		fputs("call_chain: no sample\n", stderr);
		return 1;
	}
	for (i = 0; i < sample->nr && i < DEPTH_MAX; i++)
		if (sample->ips[i] < PERF_CONTEXT_MAX)	/* others say whose the next ones are */
			print_function(sample->ips[i]);
	return 0;
}

int main(int argc, char **argv)
{
	long page_size = sysconf(_SC_PAGESIZE);
	struct perf_event_attr attr;
	void *ring;
	int fd, file;

	if (argc != 3) {
		fputs("call_chain EVENT FILE\n", stderr);
		return 2;
	}
	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.size = sizeof(attr);
	attr.config = id_of(argv[1]);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	attr.exclude_callchain_user = 1;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		return fail("perf_event_open");
	ring = mmap(NULL, (1 + PAGES) * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		return fail("mmap");
	file = open(argv[2], O_WRONLY);
	if (file < 0 || write(file, "x", 1) != 1)
		return fail(argv[2]);
	return print_sample(ring, page_size);
}
