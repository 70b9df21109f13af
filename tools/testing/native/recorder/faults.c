// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and registration of each step fails in turn. A step that is refused has to say
 * -ENOMEM and to leave the files, the sessions and the connections as they were; a step that is
 * done all the same leaves them as without the failure. The step then works. When the recorder is
 * unloaded, no memory and no reference is left.
 */
#include <err.h>
#include "command.h"
#include "connection.h"
#include "ctf/ctf.h"
#include "marker_probe.h"
#include "recorder.h"

static struct opened opened;

static int load(const char *unused)
{
	return recorder_load();
}

static int unload(const char *unused)
{
	recorder_unload();
	return 0;
}

static int close_file(const char *unused)
{
	recorder_close(&opened);
	opened.fops = NULL;
	return 0;
}

static int open_file(const char *path)
{
	int ret = recorder_open(&opened, path);

	if (ret)
		opened.fops = NULL;
	return ret;
}

/* Another reader is refused. */
static int open_again(const char *path)
{
	struct opened again;
	int ret = recorder_open(&again, path);

	return ret == -EBUSY ? 0 : ret ?: -EINVAL;
}

static int read_all(const char *path)
{
	static char text[200000];
	ssize_t ret = read_text(path, text, sizeof(text));

	return ret < 0 ? ret : 0;
}

static int write_sessions(const char *text)
{
	return write_file("ctf/sessions", text);
}

static int write_control(const char *text)
{
	return write_file("ctf/instances/a/control", text);
}

static int fire_events(const char *unused)
{
	unsigned int n;

	for (n = 0; n < 20; n++)
		fire(n);
	return 0;
}

static const struct step {
	int (*make)(const char *text);
	const char *text;
	bool partial;		/* several transactions, of which the first ones stay */
} steps[] = {
	{ load, "load" },
	{ write_sessions, "create a" },
	{ write_control, "size=16K mode=overwrite" },
	{ open_file, "ctf/instances/a/own" },
	{ marker_command_execute, "connect of_numbers ctf session=a context=tid" },
	{ marker_command_execute, "connect of_* ctf session=a" },
	{ marker_command_execute, "connect long_* ctf session=a" },
	{ fire_events, "fire" },
	{ marker_command_execute, "connect of_texts snapshot session=a if n==3" },
	{ fire_events, "fire" },
	{ marker_command_execute, "disconnect of_numbers" },
	{ close_file, "close the file own", true },
	{ marker_command_execute, "connect of_* ctf session=a" },
	{ fire_events, "fire" },
	{ write_control, "snapshot" },
	{ read_all, "ctf/instances/a/session" },
	{ read_all, "ctf/instances/a/events" },
	{ read_all, "ctf/cpus" },
	{ open_file, "ctf/instances/a/snapshot" },
	{ open_again, "ctf/instances/a/packets" },
	{ close_file, "close the file snapshot" },
	{ read_all, "ctf/instances/a/snapshot" },
	{ write_control, "disconnect", true },
	{ write_sessions, "remove a" },
	{ marker_command_execute, "connect of_texts ctf context=comm,cpu" },
	{ write_sessions, "create b" },
	{ marker_command_execute, "disconnect *" },
	{ unload, "unload" },
};

/*
 * Visible state: connections, sessions, files; and classes in a dump, which a refused step may
 * leave.
 */
struct state {
	char text[8192], classes[16384];
};

/*
 * A session that has an owner keeps its memory until the owner goes, also if a connection is
 * refused.
 */
static void observe_sessions(char *to)
{
	char text[1024], name[64], state[64], owner[64], mode[64], clock[64];
	unsigned long size, connections, memory;
	const char *line;

	read_text("ctf/sessions", text, sizeof(text));
	for (line = strchr(text, '\n'); line; line = strchr(line + 1, '\n'))
		if (sscanf(line + 1,
			   "%63[^\t]\t%63[^\t]\t%63[^\t]\t%lu\t%63[^\t]\t%63[^\t]\t%lu\t%lu", name,
			   state, owner, &size, mode, clock, &connections, &memory) == 8)
			to += sprintf(to, "%s %s %lu %s %lu %s %s %lu\n", name, owner, size, mode,
				      connections,
				      *owner == '-' ? state : "", *owner == '-' ? clock : "",
				      *owner == '-' ? memory : 0);
}

static void observe(struct state *state)
{
	struct marker_connection *conn;
	unsigned int end = 0;

	memset(state, 0, sizeof(*state));
	list_for_each_entry(conn, &marker_connections, list)
		end += sprintf(state->text + end, "%s %s: %u sites\n", conn->selector.text,
			       conn->args ?: "", marker_connection_nsites(conn));
	recorder_list_files(state->text + end, sizeof(state->text) - end);
	if (strstr(state->text, "ctf/sessions"))
		observe_sessions(state->text + strlen(state->text));
	recorder_list_classes(state->classes, sizeof(state->classes));
}

/* Without the recorder; what is allocated then is never freed. */
static long start_over(void)
{
	char files[8192];

	request_refused = 0;
	if (opened.fops)
		close_file("");
	if (marker_command_execute("disconnect *") == -EAGAIN)
		errx(1, "a probe still runs");
	recorder_list_files(files, sizeof(files));
	if (*files)
		recorder_unload();
	recorder_forget_pages();
	return request_allocated;
}

static void do_steps(unsigned int n)
{
	unsigned int i;
	int ret;

	start_over();
	for (i = 0; i < n; i++) {
		ret = steps[i].make(steps[i].text);
		if (!ret)
			continue;
		check(false, "\"%s\": %s, without any failure", steps[i].text, strerror(-ret));
		exit(1);
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
	struct state before, now;
	bool good;
	int ret;

	do_steps(i);
	observe(&before);
	request_number = 0;
	request_refused = number;
	ret = steps[i].make(steps[i].text);
	request_refused = 0;
	if (request_number < number)
		return false;
	nrefused += ret != 0;
	observe(&now);
	if (ret && ret != -ENOMEM)
		complain(number, strerror(-ret), "", "");
	if (!steps[i].partial && strcmp(now.text, ret ? before.text : after->text))
		complain(number, "another state", now.text, ret ? before.text : after->text);
	if (ret && steps[i].make(steps[i].text))
		complain(number, "cannot be done afterwards", "", "");
	observe(&now);
	/* The release of a file cannot say that it is refused. */
	good = !ret && steps[i].partial;
	if (!good && strcmp(now.text, after->text))
		complain(number, "another state afterwards", now.text, after->text);
	if (!good && strcmp(now.classes, after->classes))
		complain(number, "a dump has other classes", now.classes, after->classes);
	if (start_over() != base || request_references)
		complain(number, "something is left allocated", "", "");
	return true;
}

/* Another probe has the name of one of the recorder's. */
static void check_names(void)
{
	struct marker_probe other = marker_ctf_probe;
	char before[8192], files[8192];
	unsigned int i;
	int ret;

	recorder_list_files(before, sizeof(before));
	for (i = 0; i < 2; i++) {
		other.name = i ? "snapshot" : "ctf";
		marker_probe_register(&other);
		ret = recorder_load();
		recorder_list_files(files, sizeof(files));
		check(ret == -EEXIST && !request_references && !strcmp(before, files),
		      "it is not loaded beside another probe \"%s\"", other.name);
		marker_probe_unregister(&other);
	}
}

void check_faults(void)
{
	unsigned int i, number, all = 0, refused = 0;
	struct state after;
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
	check_names();
	check(refused > 100, "more than 100 requests are needed");
	printf("# %u failures, %u refused\n", all, refused);
}
