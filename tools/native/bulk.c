// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measure the cost of opening and closing 10,000 sites, in one transaction and in 10,000, while
 * another thread runs them all the time, and how the cost grows with the number of sites and
 * rules.  Commands, registry and patcher are those of markers.ko, timed on this machine.
 *
 * Prints records of kmark-raw/1, without the line that opens a document: they
 * are part of what bench/runner/native.c measures.
 */
#include <err.h>
#include <getopt.h>
#include <sched.h>
#include <sys/resource.h>
#include "bulk_sites.h"
#include "command.h"
#include "dispatch.h"
#include "marker_probe.h"
#include "quiescent.h"
#include "registry.h"
#include "self.h"
#include "table_text.h"

#define REPEAT		10	/* the sign test needs 6 for its interval */
#define COMMAND_SIZE	32

static const char usage[] =
	"usage: bulk [OPTION...]\n"
	"Times how 10,000 marker sites are opened and closed while another thread runs\n"
	"them, together and one by one, and prints raw records.\n"
	"  --repeat N    times that each is done (10)\n"
	"  --gate NAME   what the sites become: nop5 (default), flip or pun\n"
	"  --help        this\n"
	"example: build/native/bulk --repeat 3\n";

/* One measurement: transactions that open or close all sites. */
struct toggle {
	unsigned int transactions;
	unsigned int rounds;
	unsigned long traps;
	unsigned long seen;	/* events, all sites having been run once after it */
	unsigned int peer;	/* percent of the time that the other thread ran */
	u64 ns;
	u64 start, peer_start;	/* of the measurement: wall clock, peer_ns() */
};

static int peer_cpu;
static bool peer_stop;
static pthread_t peer;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "cannot run on CPU %d", cpu);
}

static void *run_sites(void *data)
{
	unsigned long *passes = data;

	pin(peer_cpu);
	quiescent_begin(0);
	while (!READ_ONCE(peer_stop)) {
		marker_bulk_run_sites();
		quiescent_pass(0);
		WRITE_ONCE(*passes, *passes + 1);
	}
	quiescent_end(0);
	return NULL;
}

static u64 peer_ns(void)
{
	struct timespec used;
	clockid_t clock;

	if (pthread_getcpuclockid(peer, &clock) || clock_gettime(clock, &used))
		errx(1, "the other thread has no clock");
	return used.tv_sec * 1000000000ull + used.tv_nsec;
}

/* Returns when the other thread is in the sites. */
static struct toggle begin(void)
{
	static unsigned long passes;
	int error;

	passes = 0;
	peer_stop = false;
	error = pthread_create(&peer, NULL, run_sites, &passes);
	if (error)
		errx(1, "no thread: %s", strerror(error));
	while (!READ_ONCE(passes))
		sched_yield();
	return (struct toggle){ .start = ktime_get_ns(), .peer_start = peer_ns() };
}

static void end(struct toggle *toggle)
{
	toggle->peer = (peer_ns() - toggle->peer_start) * 100 / (ktime_get_ns() - toggle->start);
	WRITE_ONCE(peer_stop, true);
	pthread_join(peer, NULL);
	toggle->seen = marker_bulk_count_events();
}

/* The wait for probes to return depends on who runs them, and is taken out. */
static void execute(struct toggle *toggle, const char *commands)
{
	u64 start = ktime_get_ns();
	int ret = marker_command_execute(commands);

	toggle->ns += ktime_get_ns() - start - marker_dispatch_last.wait_ns;
	if (ret)
		errx(1, "%s: %s", commands, strerror(-ret));
	toggle->transactions++;
	toggle->rounds += marker_dispatch_last.patch.rounds + marker_dispatch_last.tidy.rounds;
	toggle->traps += marker_dispatch_last.patch.traps + marker_dispatch_last.tidy.traps;
}

static struct toggle together(const char *commands)
{
	struct toggle toggle = begin();

	execute(&toggle, commands);
	end(&toggle);
	return toggle;
}

static struct toggle one_by_one(void)
{
	struct marker *marker = marker_registry_next_marker("bulk_site", NULL);
	struct toggle toggle = begin();
	char command[COMMAND_SIZE];
	struct marker_site_state *site;

	list_for_each_entry(site, &marker->sites, peers) {
		snprintf(command, sizeof(command), "connect site:%u tally", site->id);
		execute(&toggle, command);
	}
	end(&toggle);
	return toggle;
}

static void print(unsigned int round, const char *what, const char *state,
		  const struct toggle *toggle)
{
	printf("toggle\t%u\t%s\t%s\t%u\t%u\t%u\t%lu\t%lu\t%u\t%llu\n", round, what, state,
	       BULK_SITES, toggle->transactions, toggle->rounds, toggle->traps, toggle->seen,
	       toggle->peer, (unsigned long long)toggle->ns);
}

/*
 * Closed one by one they are not: each command would wait for the other thread
 * to come round, and that is the time it takes to run 10,000 sites.
 */
static void measure(unsigned int round)
{
	struct toggle toggle = together("connect bulk_site tally");

	print(round, "together", "open", &toggle);
	toggle = together("disconnect bulk_site");
	print(round, "together", "closed", &toggle);
	toggle = one_by_one();
	print(round, "single", "open", &toggle);
	together("disconnect *");
}

/* One write of a rule for each of the first @n sites, while no thread runs them. */
static char *write_rules(unsigned int n)
{
	char *text = malloc((size_t)n * COMMAND_SIZE), *end = text;
	struct marker *marker = marker_registry_next_marker("bulk_site", NULL);
	struct marker_site_state *site;

	if (!text)
		err(1, "%u rules", n);
	list_for_each_entry(site, &marker->sites, peers) {
		if (!n--)
			break;
		end += snprintf(end, COMMAND_SIZE, "connect site:%u tally\n", site->id);
	}
	return text;
}

static void scale_one(unsigned int round, const char *what, unsigned int n, const char *commands)
{
	struct toggle toggle = { };

	execute(&toggle, commands);
	printf("scale\t%u\t%s\t%u\t%llu\n", round, what, n, (unsigned long long)toggle.ns);
}

static void scale(unsigned int round)
{
	unsigned int n;

	for (n = BULK_SITES / 10; n <= BULK_SITES; n *= 2) {
		char *rules = write_rules(n);

		scale_one(round, "connect", n, rules);
		scale_one(round, "disconnect", n, "disconnect *");
		free(rules);
	}
}

static void print_memory(void)
{
	puts("memory\tname\tbytes");
	printf("memory\tsite.bytes\t%zu\n", sizeof(struct marker_site));
	printf("memory\tsite.gate.bytes\t%zu\n", sizeof(struct marker_gate));
	printf("memory\tsite.call.bytes\t%zu\n", sizeof(struct marker_call));
	printf("memory\tsite.runtime.bytes\t%zu\n", sizeof(struct marker_site_state) +
							    sizeof(struct marker_gate_state) +
							    sizeof(struct marker_call_state));
	printf("memory\tmarker.runtime.bytes\t%zu\n", sizeof(struct marker));
}

/* The last CPU allowed patches, the first one runs the sites. */
static void choose_cpus(void)
{
	int first = 0, last = CPU_SETSIZE - 1;
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	while (first < last && !CPU_ISSET(first, &allowed))
		first++;
	while (last > first && !CPU_ISSET(last, &allowed))
		last--;
	peer_cpu = first;
	pin(last);
	/* Helps where it is allowed, and is no loss where not. */
	setpriority(PRIO_PROCESS, 0, -20);
	if (first == last)
		printf("#toggle\tCPU %d patches and runs the sites, in turns\n", last);
	else
		printf("#toggle\tCPU %d patches while CPU %d runs the sites\n", last, first);
}

static void set_up(void)
{
	int ret;

	self_register_sites();
	ret = marker_probe_register(&marker_bulk_probe);
	if (ret)
		errx(1, "the probe is not accepted: %s", strerror(-ret));
}

static void choose_gate(const char *name)
{
	int kind = marker_gate_kind_parse(name);

	if (kind < 0 || !marker_gate_kind_is_5byte(kind)) {
		fprintf(stderr, "bulk: --gate \"%s\": want nop5, flip or pun\n", name);
		exit(2);
	}
	marker_auto_kind = kind;
}

static unsigned int parse_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "repeat", required_argument, NULL, 'r' },
		{ "gate", required_argument, NULL, 'g' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	unsigned int repeat = REPEAT;
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			exit(0);
		}
		if (c == 'g') {
			choose_gate(optarg);
			continue;
		}
		if (c != 'r') {
			fputs(usage, stderr);
			exit(2);
		}
		if (kstrtouint(optarg, 10, &repeat) || !repeat) {
			fprintf(stderr, "bulk: --repeat \"%s\": want a number above 0\n", optarg);
			exit(2);
		}
	}
	if (argv[optind]) {
		fprintf(stderr, "bulk: \"%s\" is not understood\n%s", argv[optind], usage);
		exit(2);
	}
	return repeat;
}

int main(int argc, char **argv)
{
	unsigned int repeat = parse_options(argc, argv), round;

	choose_cpus();
	set_up();
	print_memory();
	puts("toggle\tround\twhat\tstate\tsites\ttransactions\trounds\ttraps\tseen\tpeer\tamount");
	for (round = 0; round < repeat; round++)
		measure(round);
	puts("scale\tround\twhat\tsites\tamount");
	for (round = 0; round < repeat; round++)
		scale(round);
	if (fflush(stdout) || ferror(stdout))
		err(1, "standard output");
	return 0;
}
