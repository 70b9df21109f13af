// SPDX-License-Identifier: GPL-2.0-only
/*
 * The recorder (probes/ctf) with the core of markers.ko in a program, used through its files:
 * every byte of a packet is read, every event is accounted for, limits are tried at their last
 * value and the next one, and each request for memory is refused.
 *
 *	recorder listings	prints the texts of all files
 *	recorder [IMAGE [N]]	IMAGE gets the memory after a panic, for kmark record vmcore;
 *				with N, the panic and N events before it interrupt an event
 */
#include <err.h>
#include "command.h"
#include "context.h"
#include "fetch.h"
#include "gates/native.h"
#include "recorder.h"
#include "connect.h"
#include "self.h"

static unsigned int checks, failures;

void check(bool good, const char *format, ...)
{
	va_list args;

	failures += !good;
	printf("%sok %u - ", good ? "" : "not ", ++checks);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

ssize_t write_bytes(const char *path, const char *bytes, size_t size)
{
	struct opened opened;
	loff_t pos = 0;
	ssize_t ret = recorder_open(&opened, path);

	if (ret)
		return ret;
	ret = opened.fops->write(&opened.file, bytes, size, &pos);
	recorder_close(&opened);
	return ret == (ssize_t)size ? 0 : ret;
}

int write_file(const char *path, const char *text)
{
	return write_bytes(path, text, strlen(text));
}

ssize_t read_text(const char *path, char *to, size_t size)
{
	struct opened opened;
	loff_t pos = 0;
	ssize_t ret = recorder_open(&opened, path);

	if (ret)
		return ret;
	ret = opened.fops->read(&opened.file, to, size - 1, &pos);
	recorder_close(&opened);
	if (ret >= 0)
		to[ret] = '\0';
	return ret;
}

/* A step without which nothing can be tested. */
void must(int ret, const char *what)
{
	if (!ret)
		return;
	check(false, "%s: %s", what, strerror(-ret));
	exit(1);
}

void command(const char *words)
{
	must(marker_command_execute(words), words);
}

void set_up(const char *words)
{
	must(write_file("ctf/control", words), words);
}

void (*recorder_on_text)(char *text);
unsigned int recorder_texts_read;

unsigned int __real_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size);
unsigned int __wrap_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size);

unsigned int __wrap_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size)
{
	void (*on_text)(char *text) = recorder_on_text;

	recorder_texts_read++;
	if (on_text)
		on_text((char *)words[arg->index]);
	return __real_marker_fetch_text(arg, words, to, size);
}

/* The context of each event, of which no two items are equal. */
unsigned long __wrap_marker_context_read(enum marker_context which);
unsigned long __wrap_marker_task_tid(void);
unsigned long __wrap_marker_task_pid(void);

unsigned long __wrap_marker_task_tid(void)
{
	return 0x11121314;
}

unsigned long __wrap_marker_task_pid(void)
{
	return 0x21222324;
}

unsigned long __wrap_marker_context_read(enum marker_context which)
{
	static const char comm[MARKER_COMM_MAX] = "a name, of 15 c";

	switch (which) {
	case MARKER_CONTEXT_TID:
		return marker_task_tid();
	case MARKER_CONTEXT_PID:
		return marker_task_pid();
	case MARKER_CONTEXT_COMM:
		return (unsigned long)comm;
	case MARKER_CONTEXT_PRIO:
		return 0x41424344;
	case MARKER_CONTEXT_CPU:
		return 0x51525354;
	case MARKER_CONTEXT_IRQ:
		return 3;
	case MARKER_CONTEXT_PREEMPT:
		return 0x71 + recorder_preempt;
	default:
		return 0x8182838485868788;
	}
}

int main(int argc, char **argv)
{
	if (!freopen("/dev/null", "w", stderr))
		err(2, "no log");
	self_register_sites();
	if (argc > 1 && !strcmp(argv[1], "listings")) {
		print_listings();
		return 0;
	}
	check_faults();
	must(recorder_load(), "load");
	if (argc > 2)
		panic_in_store(argv[1], atoi(argv[2]));
	if (argc > 1) {
		panic(argv[1]);
		return 0;
	}
	check_packets(false);
	check_packets(true);
	check_snapshots(false);
	check_snapshots(true);
	set_up("addresses=hashed");
	check_sizes();
	check_lengths();
	check_memory();
	check_room();
	check_between();
	check_outdated();
	check_long_header();
	check_texts();
	check_quick();
	check_contexts("of_numbers");
	check_contexts("of_addresses");
	check_contexts("of_texts");
	check_contexts("of_bytes");
	check_new_cpu();
	recorder_unload();
	check(!request_references, "no reference is left");
	printf("1..%u\n", checks);
	return !!failures;
}
