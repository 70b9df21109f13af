// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hammer (markers/selftest/hammer.c) on this machine's silicon: one thread
 * runs a gate without end, the main thread opens and closes it, through the
 * same patch.c as in the kernel.  Prints TAP.
 */
#include <getopt.h>
#include <sched.h>
#include "gates/native.h"
#include "hammer.h"
#include "quiescent.h"
#include "self.h"

static void usage(FILE *to)
{
	fputs("usage: hammer [--toggles N] [--gate KIND]\n"
	      "Opens and closes gates while another thread runs them, and counts the runs\n"
	      "that took the wrong way.  Prints TAP; exit status 1 when there was one.\n"
	      "  --toggles N   of each gate (default 20000; split NOPs do a hundredth)\n"
	      "  --gate KIND   only that kind\n"
	      "example: hammer --toggles 1000000 --gate pun\n", to);
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* A hint: with one CPU, or forbidden, the threads share what there is. */
	sched_setaffinity(0, sizeof(set), &set);
}

static void *runner(void *data)
{
	struct marker_hammer *h = data;

	pin(1);
	quiescent_begin(1);
	while (!READ_ONCE(h->stop)) {
		marker_hammer_pass(h);
		quiescent_pass(1);
	}
	quiescent_end(1);
	return NULL;
}

/* True if all runs were right. */
static bool strike(struct marker_hammer *h, unsigned int number, unsigned long toggles)
{
	struct timespec rest = { .tv_nsec = 1000000 };
	struct marker_patch_stats sum;
	pthread_t thread;
	bool good;
	int ret;

	/* Opening a gate of several instructions waits for the other thread. */
	if (marker_gate_is_split(h->gate))
		toggles = DIV_ROUND_UP(toggles, 100);
	h->stop = false;
	if (pthread_create(&thread, NULL, runner, h)) {
		perror("hammer");
		exit(1);
	}
	while (!READ_ONCE(h->runs))
		sched_yield();
	ret = marker_hammer_toggle(h, toggles, &sum);
	nanosleep(&rest, NULL);	/* with the gate at rest, too */
	WRITE_ONCE(h->stop, true);
	pthread_join(thread, NULL);
	good = !ret && !h->wrong;
	printf("%sok %u - %s, %s: %lu toggles, %lu runs, %lu wrong, %lu traps, %llu ns a toggle\n",
	       good ? "" : "not ", number, h->kind, h->place, toggles, h->runs, h->wrong,
	       sum.traps, (unsigned long long)sum.ns / toggles);
	fflush(stdout);
	return good;
}

/* A kind that this architecture has not is compiled as the generic one. */
static bool is_missing(const struct marker_hammer *h)
{
	return h->gate->kind == MARKER_GATE_GENERIC && strcmp(h->kind, "generic");
}

static unsigned long parse_count(const char *text)
{
	unsigned long n;

	if (kstrtoul(text, 10, &n) || !n) {
		fprintf(stderr, "hammer: --toggles %s: want a number above 0\n", text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "toggles", required_argument, NULL, 't' },
		{ "gate", required_argument, NULL, 'g' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	unsigned long toggles = 20000;
	const char *kind = NULL;
	unsigned int i, n = 0, bad = 0;
	int opt, ret;

	marker_bench_gates_init();
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 't')
			toggles = parse_count(optarg);
		else if (opt == 'g')
			kind = optarg;
		else
			usage(opt == 'h' ? stdout : stderr);
		if (opt == 'h' || opt == '?')
			return opt == 'h' ? 0 : 2;
	}
	if (optind < argc || (kind && marker_gate_kind_parse(kind) < 0)) {
		usage(stderr);
		return 2;
	}
	self_register_sites();
	ret = marker_hammer_init();
	if (ret) {
		fprintf(stderr, "hammer: a gate is missing or misplaced: %s\n", strerror(-ret));
		return 1;
	}
	pin(0);
	for (i = 0; i < marker_nhammers; i++) {
		struct marker_hammer *h = &marker_hammers[i];

		if (kind && strcmp(kind, h->kind))
			continue;
		if (is_missing(h))
			printf("ok %u - %s # SKIP there is no such gate here\n", ++n, h->kind);
		else
			bad += !strike(h, ++n, toggles);
	}
	printf("1..%u\n", n);
	return bad ? 1 : 0;
}
