// SPDX-License-Identifier: GPL-2.0-only
/* The whole texts of the files, in each state of a session. */
#include <err.h>
#include "packets.h"

/* Where a jump leads to, how long something took, and the CPUs are others elsewhere. */
static void hide(char *line)
{
	char *at;

	for (at = strstr(line, "\te9"); at; at = strstr(at, "\te9")) {
		at += 3;
		memset(at, '.', 8);
	}
	at = strstr(line, ".ns\t") ?: strstr(line, ".cpus\t");
	if (at)
		strchr(at, '\t')[1] = '\0';
}

/* Print the lines of a file that begin with '#' or have a word, up to the 120th character. */
void show(const char *path, const char *word)
{
	static char text[65536];
	ssize_t ret = read_text(path, text, sizeof(text));
	char *rest = text, *line;

	if (ret < 0)
		errx(1, "%s: %s", path, strerror(-ret));
	printf("== %s\n", path);
	while ((line = strsep(&rest, "\n")) && rest)
		if (*line == '#' || strstr(line, word)) {
			hide(line);
			printf("%.120s\n", line);
		}
}

/* Times that do not depend on how many events there were. */
static void round_clock(void)
{
	recorder_clock += 1000 - recorder_clock % 1000;
}

static void show_session(const char *state)
{
	printf("\n%s:\n", state);
	round_clock();
	show("ctf/sessions", "");
	show("ctf/instances/a/session", "");
	show("ctf/instances/a/cpus", "");
}

static void set_up_a(const char *words)
{
	must(write_file("ctf/instances/a/control", words), words);
}

static void read_snapshot(void)
{
	static char packets[16 * RING_PACKET];
	struct opened snapshot;
	loff_t pos = 0;

	must(recorder_open(&snapshot, "ctf/instances/a/snapshot"), "snapshot");
	while (snapshot.fops->read(&snapshot.file, packets, sizeof(packets), &pos) > 0)
		;
	recorder_close(&snapshot);
}

void print_listings(void)
{
	static char files[8192];
	struct opened own;
	unsigned int n;

	must(recorder_load(), "load");
	must(write_file("ctf/sessions", "create a"), "create");
	recorder_list_files(files, sizeof(files));
	fputs(files, stdout);
	show_session("new");
	set_up_a("size=16K mode=overwrite clock=mono addresses=raw");
	must(recorder_open(&own, "ctf/instances/a/own"), "own");
	command("connect of_* ctf session=a");
	command("connect of_nothing ctf session=a context=comm,cpu,irq");
	command("connect of_texts snapshot session=a if n==3");
	show_session("connected");
	show("ctf/instances/a/events", "");
	for (n = 0; n < 200; n++) {
		recorder_cpu = n > 2;
		recorder_fire(n);
	}
	set_up("clock=tsc");
	round_clock();
	command("connect of_numbers ctf");
	set_up_a("stop");
	recorder_fire(n);
	show_session("stopped, with a snapshot");
	show("ctf/session", "");
	read_snapshot();
	show_session("read");
	recorder_close(&own);
	show_session("left");
	command("disconnect *");
	must(write_file("ctf/sessions", "remove a"), "remove");
	printf("\nremoved:\n");
	show("ctf/sessions", "");
	recorder_list_files(files, sizeof(files));
	fputs(files, stdout);
	recorder_unload();
	print_core();
}
