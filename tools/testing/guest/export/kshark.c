// SPDX-License-Identifier: GPL-2.0-only
/*
 * kshark FILE: prints the events that KernelShark shows for FILE, by its library and without
 * plugins: thread, CPU, time in ns, name, and what is in the column "Info".
 */
#include <inttypes.h>
#include <kernelshark/libkshark.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **rows;
	ssize_t count, i;
	int stream;

	if (argc != 2) {
		fprintf(stderr, "usage: kshark FILE\n");
		return 2;
	}
	if (!kshark_instance(&context))
		return 1;
	stream = kshark_open(context, argv[1]);
	count = stream < 0 ? -1 : kshark_load_entries(context, stream, &rows);
	if (count < 0) {
		fprintf(stderr, "kshark: %s: cannot be read\n", argv[1]);
		return 1;
	}
	for (i = 0; i < count; i++) {
		char *task = kshark_get_task(rows[i]), *name = kshark_get_event_name(rows[i]);
		char *info = kshark_get_info(rows[i]);

		printf("%s-%d [%d] %" PRId64 " %s: %s\n", task, kshark_get_pid(rows[i]),
		       rows[i]->cpu, rows[i]->ts, name, info);
		free(task);
		free(name);
		free(info);
		free(rows[i]);
	}
	free(rows);
	kshark_close_all(context);
	kshark_free(context);
	return 0;
}
