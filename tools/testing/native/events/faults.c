// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and registration of each step fails in turn. A step that is refused leaves the
 * events and the connections as they were. What is tried again later is there when the delayed
 * work has run. When the probe is unloaded, no memory and no reference is left.
 */
#include "command.h"
#include "connection.h"
#include <linux/stringhash.h>
#include "events.h"
#include "probe.h"

static bool loaded;

static int load(const char *unused)
{
	int ret = events_load();

	loaded = !ret;
	return ret;
}

static int unload(const char *unused)
{
	loaded = false;
	events_unload();
	return 0;
}

/* "NAME": enable an event for ftrace, "NAME perf": for perf. */
static struct trace_event_call *find(const char *words, bool *perf)
{
	char name[64];

	*perf = strstr(words, " perf");
	strscpy(name, words, min(strcspn(words, " ") + 1, sizeof(name)));
	return events_find("markers", name);
}

static int enable(const char *words)
{
	bool perf;
	struct trace_event_call *call = find(words, &perf);

	return call ? events_enable(call, perf) : -ENOENT;
}

static int disable(const char *words)
{
	bool perf;
	struct trace_event_call *call = find(words, &perf);

	if (call)
		events_disable(call, perf);
	return 0;
}

/* As the file control does. */
static int execute(const char *commands)
{
	int ret = marker_command_execute(commands);

	marker_probe_settle_all();
	return ret;
}

int events_execute(const char *commands)
{
	int ret = execute(commands);

	events_run_work();
	return ret;
}

static int fire(const char *unused)
{
	events_fire(30);
	return 0;
}

static int open_files(const char *open)
{
	events_are_open = !strcmp(open, "open");
	return 0;
}

static const struct step {
	int (*make)(const char *text);
	const char *text;
} steps[] = {
	{ load, "load" },
	{ enable, "of_gaps" },
	{ enable, "of_gaps perf" },
	{ fire, "fire" },
	{ disable, "of_gaps" },
	{ execute, "expose of_texts,of_byte" },
	{ disable, "of_gaps perf" },
	{ execute, "connect of_t* event" },
	{ enable, "of_text" },
	{ fire, "fire" },
	{ open_files, "open" },
	{ disable, "of_text" },
	{ execute, "disconnect of_t*" },
	{ open_files, "closed" },
	{ execute, "expose *" },
	{ enable, "of_parts" },
	{ fire, "fire" },
	{ disable, "of_parts" },
	{ unload, "unload" },
};

/* Visible state: connections, events with their formats. */
struct state {
	char text[16384];
};

static void observe(struct state *state)
{
	struct trace_event_call *call;
	struct marker_connection *conn;
	unsigned int end = 0, i;

	events_new_instance();
	memset(state, 0, sizeof(*state));
	list_for_each_entry(conn, &marker_connections, list)
		end += sprintf(state->text + end, "%s %s: %u sites\n", conn->selector.text,
			       conn->args ?: "",
			       marker_connection_nsites(conn));
	/* In the order of the names, as an event that is tried again comes later. */
	for (i = 0; i < 2000; i++)
		list_for_each_entry(call, &events_known, list)
			if (full_name_hash(NULL, call->tp->name,
					   strlen(call->tp->name)) % 2000 == i)
				end += sprintf(state->text + end, "%s:%s %s\n", call->class->system,
					       call->tp->name, call->print_fmt);
}

static long start_over(void)
{
	struct trace_event_call *call;

	request_refused = 0;
	events_are_open = false;
	list_for_each_entry(call, &events_known, list) {
		events_disable(call, false);
		events_disable(call, true);
	}
	if (loaded)
		events_run_work();
	execute("disconnect *");
	if (loaded)
		unload("");
	execute("expose *");
	return request_allocated;
}

static void do_steps(unsigned int n)
{
	unsigned int i;
	int ret;

	start_over();
	for (i = 0; i < n; i++) {
		ret = steps[i].make(steps[i].text);
		if (ret) {
			check(false, "\"%s\": %s, without any failure", steps[i].text,
			      strerror(-ret));
			exit(1);
		}
		if (loaded)
			events_run_work();
	}
}

static unsigned int nwrong, nrefused;

static void complain(unsigned int number, const char *what, const char *found, const char *expected)
{
	nwrong++;
	printf("# request %u refused: %s\n# found:\n%s# expected:\n%s", number, what, found,
	       expected);
}

/* One request of step @i is refused. False: the step needs fewer. */
static bool try_one(unsigned int i, unsigned int number, long base, const struct state *after)
{
	static struct state before, now;
	bool lacks_number;
	int ret;

	do_steps(i);
	observe(&before);
	request_number = 0;
	request_refused = number;
	ret = steps[i].make(steps[i].text);
	request_refused = 0;
	lacks_number = events_have_no_number;
	events_have_no_number = false;
	if (request_number < number)
		return false;
	nrefused += ret != 0;
	if (ret && ret != -ENOMEM && ret != -ENOSPC && ret != -ENODEV)
		complain(number, strerror(-ret), "", "");
	if (loaded)
		events_run_work();
	observe(&now);
	if (ret && strcmp(now.text, before.text))
		complain(number, "another state", now.text, before.text);
	if (ret && steps[i].make(steps[i].text))
		complain(number, "cannot be done afterwards", "", "");
	if (loaded)
		events_run_work();
	observe(&now);
	if (!lacks_number && strcmp(now.text, after->text))
		complain(number, "another state afterwards", now.text, after->text);
	if (start_over() != base || request_references)
		complain(number, "something is left allocated", "", "");
	return true;
}

void check_faults(void)
{
	unsigned int i, number, all = 0, refused = 0;
	static struct state after;
	long base;

	/* The first time allocates the memory that is kept for good. */
	do_steps(ARRAY_SIZE(steps));
	base = start_over();
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		do_steps(i + 1);
		observe(&after);
		nwrong = 0;
		nrefused = 0;
		for (number = 1; try_one(i, number, base, &after); number++)
			;
		all += number - 1;
		refused += nrefused;
		check(!nwrong, "%s: %u failures, %u refused", steps[i].text, number - 1, nrefused);
	}
	printf("# %u failures, %u refused\n", all, refused);
}
