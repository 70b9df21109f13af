// SPDX-License-Identifier: GPL-2.0-only
/* Images of the memory after a panic. */
#include <err.h>
#include "packets.h"

/* An image of the memory after a panic, with what recorder.t knows of. */
void panic(const char *path)
{
	FILE *image = fopen(path, "w");
	unsigned int n;

	if (!image)
		err(2, "%s", path);
	must(write_file("ctf/sessions", "create many"), "create");
	must(write_file("ctf/sessions", "create closed"), "create");
	must(write_file("ctf/sessions", "create empty"), "create");
	must(write_file("ctf/instances/many/control", "size=64K mode=discard"), "many");
	command("connect of_* ctf session=closed");
	fire_many(0, 100);
	command("disconnect *");
	must(write_file("ctf/instances/closed/control", "close"), "close");
	connect_each_context("of_numbers", "many");
	command("connect of_nothing ctf session=empty");
	/* Both buffers of a CPU have events of times that alternate, and none is overwritten. */
	set_up("size=16K mode=overwrite addresses=hashed");
	command("connect of_texts ctf");
	for (n = 0; n < 300; n += 100) {
		fire_many(n, 100);
		read_file("ctf/snapshot", 1, n == 100);
	}
	fire_many(n, 50);
	recorder_panic->notifier_call(recorder_panic, 0, NULL);
	fire_many(n + 50, 10);
	recorder_write_memory(image);
	fclose(image);
}

static FILE *interrupted_image;
static unsigned int interrupting;

/* In the middle of an event: other events, and a panic. */
static void interrupt(char *text)
{
	if (recorder_texts_read <= 8)
		return;
	recorder_on_text = NULL;
	fire_many(1000, interrupting);
	recorder_panic->notifier_call(recorder_panic, 0, NULL);
	recorder_write_memory(interrupted_image);
	fclose(interrupted_image);
	exit(0);
}

/*
 * The same where the panic interrupts the store of an event for good, with so many events before
 * the panic.
 */
void panic_in_store(const char *path, unsigned int events)
{
	static char text[300];
	const char *all[8] = { text, text, text, text, text, text, text, text };

	memset(text, 'a', sizeof(text) - 1);
	interrupted_image = fopen(path, "w");
	if (!interrupted_image)
		err(2, "%s", path);
	interrupting = events;
	set_up("size=64K mode=discard");
	command("connect of_numbers ctf; connect of_many ctf");
	recorder_cpu = 1;
	fire(0);
	recorder_texts_read = 0;
	recorder_on_text = interrupt;
	recorder_fire_texts(all);
}
