// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations with something opened that is closed in the others: the tracepoint
 * task_rename, with its trace event; all trace events; the static key of receive
 * time stamps; the markers of the kernel, which are recorded.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "operations.h"

#define EVENT	"/sys/kernel/tracing/events/task/task_rename/enable"
#define EVENTS	"/sys/kernel/tracing/events/enable"
#define MARKERS	"/sys/kernel/tracing/events/markers/enable"
#define SETTLE_NS	50000000	/* the key is enabled by a work item */

static int stamped = -1;

int put_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY);
	ssize_t written = fd < 0 ? -1 : write(fd, line, strlen(line));

	if (fd >= 0)
		close(fd);
	return written < 0 ? -1 : 0;
}

static const char *tracepoint_start(void)
{
	return put_line(EVENT, "1") ? "the trace event task_rename" : NULL;
}

static void tracepoint_stop(void)
{
	must(put_line(EVENT, "0"), EVENT);
}

static const char *events_start(void)
{
	return put_line(EVENTS, "1") ? "trace events" : NULL;
}

static void events_stop(void)
{
	must(put_line(EVENTS, "0"), EVENTS);
}

static const char *key_start(void)
{
	static const struct timespec settle = { .tv_nsec = SETTLE_NS };
	int on = 1;

	stamped = socket(AF_INET, SOCK_DGRAM, 0);
	if (stamped < 0 || setsockopt(stamped, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on)))
		return "SO_TIMESTAMP";
	nanosleep(&settle, NULL);
	return udp_start();
}

static void key_stop(void)
{
	udp_stop();
	close(stamped);
}

static const char *marker_start(void)
{
	if (put_line(MARKERS, "1"))
		return "markers";
	return pipe_start();
}

static void marker_stop(void)
{
	pipe_stop();
	must(put_line(MARKERS, "0"), MARKERS);
}

const struct operation opened_operations[] = {
	{ .name = "tracepoint", .start = tracepoint_start, .run = name_run,
	  .stop = tracepoint_stop },
	{ .name = "key", .start = key_start, .run = udp_run, .stop = key_stop },
	{ .name = "marker", .start = marker_start, .run = pipe_run, .stop = marker_stop },
	{ .name = "events", .start = events_start, .run = name_run, .stop = events_stop },
	{ }
};
