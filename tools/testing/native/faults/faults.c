// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and mapping of each step fails in turn: the core of markers.ko, compiled
 * for a program, connects, disconnects and takes section tables in, and of what it asks for
 * the first is refused, then the second and so on, until the step needs no more.
 *
 *	faults [--list]
 *
 * A step that is refused has to say -ENOMEM (the mapping: -ENOMEM, too), and to leave the
 * connections and what the sites call as they were; one that is done all the same has to
 * leave them as without the failure. The next step, which nothing is refused, has to
 * work. Without connections and tables nothing may be left allocated.
 */
#include <err.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bench_gates.h"
#include "command.h"
#include "connect.h"
#include "faults_sites.h"
#include "gates/native.h"
#include "marker_probe.h"
#include "registry.h"
#include "requests.h"
#include "text.h"

extern struct marker_site __marker_sites[], __marker_sites_end[];
extern struct marker_gate __marker_gates[], __marker_gates_end[];
extern struct marker_call __marker_calls[], __marker_calls_end[];
extern const struct marker_abi __marker_abi[], __marker_abi_end[];

/* In the order in which they are done; "load" and "unload" are the tables of the program. */
static const char *const steps[] = {
	"load",
	"connect fault_nop a",
	"connect fault_nop b",
	"connect fault_* a if arg0>1",
	"connect fault_text b first=100 if arg1==text && arg0<9",
	"connect fault_pun b words; connect fault_generic b words",
	"disconnect fault_nop a",
	"disconnect fault_* a; connect fault_call a",
	"arm later_* a; arm fault_t?xt b other",
	"unload",
	"load",
	"disconnect *",
	"unload",
};

static struct module self = { .name = "self" };
static struct marker_site pristine[16];

int __real_marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
			   unsigned int n);
int __wrap_marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
			   unsigned int n);

int __wrap_marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
			   unsigned int n)
{
	return request_is_refused() ? -ENOMEM : __real_marker_text_map(alias, patches, n);
}

static unsigned int seen[2];	/* events, by probe */

static void notrace probe_a(MARKER_PARAMS)
{
	seen[0]++;
}

static void notrace probe_b(MARKER_PARAMS)
{
	seen[1]++;
}

static void *attach(const char *words)
{
	return kstrdup(words ?: "", GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	kfree(data);
}

static struct marker_probe probes[] = {
	{ .name = "a", .func = probe_a, .attach = attach, .detach = detach },
	{ .name = "b", .func = probe_b, .attach = attach, .detach = detach },
};

static int load(void)
{
	const struct marker_bounds bounds = {
		__marker_sites, __marker_sites_end, __marker_gates, __marker_gates_end,
		__marker_calls, __marker_calls_end, __marker_abi, __marker_abi_end,
	};
	int ret;

	mutex_lock(&marker_mutex);
	ret = marker_registry_add_table(&self, &bounds, false);
	if (!ret)
		marker_connect_table(marker_registry_find_table(&self));
	mutex_unlock(&marker_mutex);
	return ret;
}

/* The module goes, and its memory with it: what is loaded next is as the compiler left it. */
static int unload(void)
{
	struct marker_table *table = marker_registry_find_table(&self);

	if (!table)
		return 0;
	mutex_lock(&marker_mutex);
	marker_disconnect_table(table);
	/* Without memory, as rmmod of markers.ko does: again. */
	while (marker_registry_del_table(table, true))
		;
	mutex_unlock(&marker_mutex);
	memcpy(__marker_sites, pristine, (u8 *)__marker_sites_end - (u8 *)__marker_sites);
	return 0;
}

static int do_step(const char *step)
{
	if (!strcmp(step, "load"))
		return load();
	return strcmp(step, "unload") ? marker_command_execute(step) : unload();
}

/* Visible state: connections with their sites, gates, events of one run. */
struct state {
	char text[2048];
};

static void observe(struct state *state)
{
	struct marker_connection *conn;
	struct marker_site_state *site;
	unsigned int i, end = 0;

	mutex_lock(&marker_mutex);
	list_for_each_entry(conn, &marker_connections, list)
		end += sprintf(state->text + end, "%s %s %s: %u sites%s%s\n", conn->selector.text,
			       conn->probe->name, conn->args ?: "", marker_connection_nsites(conn),
			       conn->dying ? " dying" : "", conn->blocked ? " blocked" : "");
	for (site = marker_registry_next_site(0); site; site = marker_registry_site_after(site)) {
		end += sprintf(state->text + end, "%s:", site->entry->name);
		for (i = 0; i < site->ngates; i++)
			end += sprintf(state->text + end, " %s",
				       site->gates[i].open ? "open" : "closed");
		end += sprintf(state->text + end, "\n");
	}
	mutex_unlock(&marker_mutex);
	memset(seen, 0, sizeof(seen));
	if (marker_registry_find_table(&self))
		faults_fire();
	sprintf(state->text + end, "a %u b %u\n", seen[0], seen[1]);
}

static bool same(const struct state *a, const struct state *b)
{
	return !strcmp(a->text, b->text);
}

/* Without connections and tables; what is allocated then is never freed. */
static long start_over(void)
{
	request_refused = 0;
	if (marker_command_execute("disconnect *") == -EAGAIN)
		errx(1, "a probe still runs");
	unload();
	return request_allocated;
}

static void do_steps(unsigned int n)
{
	unsigned int i;
	int ret;

	start_over();
	for (i = 0; i < n; i++) {
		ret = do_step(steps[i]);
		if (ret)
			errx(1, "\"%s\": %s, without any failure", steps[i], strerror(-ret));
	}
}

/* Bytes that the core has logged so far, to a file. */
static long logged(void)
{
	return lseek(STDERR_FILENO, 0, SEEK_END);
}

struct tally {
	unsigned int faults, refusals, wrong;
};

static void complain(struct tally *tally, unsigned int i, const char *what, const char *found,
		     const char *expected)
{
	tally->wrong++;
	printf("# step %u \"%s\", request %u refused: %s\n# found:\n%s# expected:\n%s", i, steps[i],
	       request_refused, what, found, expected);
}

/* One request of step @i is refused. False: the step needs fewer. */
static bool try_one(struct tally *tally, unsigned int i, unsigned int number, long base,
		    const struct state *after)
{
	struct state before, now;
	bool reached, lacks;
	long log;
	int ret;

	do_steps(i);
	observe(&before);
	log = logged();
	request_number = 0;
	request_refused = number;
	ret = do_step(steps[i]);
	reached = request_number >= number;
	observe(&now);
	if (!reached) {
		request_refused = 0;
		return false;
	}
	tally->faults++;
	tally->refusals += ret != 0;
	/* A module is not refused for what its sites cannot have, but the log says so. */
	lacks = !ret && !strcmp(steps[i], "load") && !same(&now, after);
	if (ret && ret != -ENOMEM)
		complain(tally, i, strerror(-ret), "", "");
	else if (lacks && logged() == log)
		complain(tally, i, "was done in part, and nothing was logged", now.text,
			 after->text);
	else if (!lacks && !same(&now, ret ? &before : after))
		complain(tally, i, ret ? "was refused" : "was done", now.text,
			 ret ? before.text : after->text);
	request_refused = 0;
	if (lacks)
		unload();
	if ((ret || lacks) && do_step(steps[i]))
		complain(tally, i, "cannot be done afterwards", "", "");
	observe(&now);
	if (!same(&now, after))
		complain(tally, i, "was done afterwards", now.text, after->text);
	if (start_over() != base)
		complain(tally, i, "something is left allocated", "", "");
	return true;
}

static void try_step(struct tally *sum, unsigned int i, long base)
{
	struct tally tally = { };
	struct state after;
	unsigned int number;

	do_steps(i + 1);
	observe(&after);
	for (number = 1; try_one(&tally, i, number, base, &after); number++)
		;
	printf("%sok - %s: %u failures, %u refused\n", tally.wrong ? "not " : "", steps[i],
	       tally.faults, tally.refusals);
	sum->faults += tally.faults;
	sum->refusals += tally.refusals;
	sum->wrong += tally.wrong;
}

int main(void)
{
	struct tally tally = { };
	unsigned int i;
	long base;

	if (dup2(memfd_create("log", 0), STDERR_FILENO) < 0)
		err(2, "no log");
	marker_bench_gates_init();
	memcpy(pristine, __marker_sites, (u8 *)__marker_sites_end - (u8 *)__marker_sites);
	if (marker_trap_init() || marker_registry_init())
		errx(2, "the program's text cannot be patched");
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (marker_probe_register(&probes[i]))
			errx(2, "the probes cannot be registered");
	/* The first time allocates the memory that is kept for good, such as landing pads. */
	do_steps(ARRAY_SIZE(steps));
	base = start_over();
	for (i = 0; i < ARRAY_SIZE(steps); i++)
		try_step(&tally, i, base);
	printf("# %u failures in %zu steps: %u refused, %u done all the same, %u wrong\n",
	       tally.faults, ARRAY_SIZE(steps), tally.refusals, tally.faults - tally.refusals,
	       tally.wrong);
	return tally.wrong > 0;
}
