// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_poke COMMAND: runs the command with the shell, and prints a line for each instruction
 * of the kernel that was changed meanwhile, as it was reported to perf (PERF_RECORD_TEXT_POKE):
 * its address, the old bytes, the new bytes, in hexadecimal.  1: the kernel refused, or lost
 * records; 2: wrong use.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in
 * the bare guest.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES		16	/* of records, for each CPU */
#define CPUS_MAX	64

static long page_size;

static int fail(const char *what)
{
	fprintf(stderr, "text_poke: %s: %s\n", what, strerror(errno));
	return 1;
}

static struct perf_event_mmap_page *open_cpu(int cpu)
{
	struct perf_event_attr attr;
	void *ring;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.text_poke = 1;
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	if (fd < 0)
		return NULL;
	ring = mmap(NULL, (1 + PAGES) * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return ring == MAP_FAILED ? NULL : ring;
}

/* A record may go over the end of the ring. */
static void copy(void *to, const uint8_t *ring, uint64_t at, size_t len)
{
	uint8_t *byte = to;

	while (len--)
		*byte++ = ring[at++ % (PAGES * page_size)];
}

static void print_bytes(const uint8_t *bytes, unsigned int len, const char *end)
{
	while (len--)
		printf("%02x", *bytes++);
	fputs(end, stdout);
}

struct record {
	struct perf_event_header header;
	uint64_t address;
	uint16_t old_len, new_len;
	uint8_t bytes[64];
};

/* 0; 1: records were lost. */
static int print_records(const struct perf_event_mmap_page *page)
{
	const uint8_t *ring = (const uint8_t *)page + page_size;
	uint64_t at, head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	struct record record;
	int lost = 0;

	for (at = 0; at < head; at += record.header.size) {
		copy(&record.header, ring, at, sizeof(record.header));
		lost |= record.header.type == PERF_RECORD_LOST;
		if (record.header.type != PERF_RECORD_TEXT_POKE ||
		    record.header.size > sizeof(record))
			continue;
		copy(&record, ring, at, record.header.size);
		printf("%016llx ", (unsigned long long)record.address);
		print_bytes(record.bytes, record.old_len, " ");
		print_bytes(record.bytes + record.old_len, record.new_len, "\n");
	}
	return lost;
}

int main(int argc, char **argv)
{
	struct perf_event_mmap_page *pages[CPUS_MAX];
	long cpu, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int ret = 0;

	if (argc != 2) {
		fputs("usage: text_poke COMMAND\n", stderr);
		return 2;
	}
	page_size = sysconf(_SC_PAGESIZE);
	cpus = cpus < CPUS_MAX ? cpus : CPUS_MAX;
	for (cpu = 0; cpu < cpus; cpu++) {
		pages[cpu] = open_cpu(cpu);
		if (!pages[cpu])
			return fail("the events of a CPU cannot be read");
	}
	if (system(argv[1]))
		return fail(argv[1]);
	for (cpu = 0; cpu < cpus; cpu++)
		ret |= print_records(pages[cpu]);
	return ret;
}
