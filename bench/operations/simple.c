// SPDX-License-Identifier: GPL-2.0-only
/* Operations of one process that need no other: system calls, files, UDP, a timer. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "operations.h"

#define DATA		64	/* bytes of a datagram */
#define FIRST_PORT	4001	/* chosen by the kernel, both may be in one hash bucket */
#define OPENED		"/opened"
#define FAR_S		100000	/* a timer that never expires */

static int file = -1;
static int sockets[2] = { -1, -1 };
static timer_t timer;

void null_run(void)
{
	syscall(SYS_getppid);
}

static const char *zero_start(void)
{
	file = open("/dev/zero", O_RDONLY);
	return file < 0 ? "/dev/zero" : NULL;
}

static const char *null_start(void)
{
	file = open("/dev/null", O_WRONLY);
	return file < 0 ? "/dev/null" : NULL;
}

static void file_stop(void)
{
	close(file);
}

static void read_run(void)
{
	char byte;

	must(read(file, &byte, 1), "read");
}

static void write_run(void)
{
	must(write(file, "x", 1), "write");
}

/*
 * A file that has just been made is the first in its chain of the dentry cache. Any other file may
 * be behind a dentry that exists in only one of two kernels, and would then take six instructions
 * more.
 */
static const char *open_start(void)
{
	int made = open(OPENED, O_WRONLY | O_CREAT | O_EXCL, 0600);

	return made < 0 || close(made) ? OPENED : NULL;
}

static void open_run(void)
{
	close(must(open(OPENED, O_RDONLY | O_CLOEXEC), OPENED));
}

static void open_stop(void)
{
	must(unlink(OPENED), OPENED);
}

void name_run(void)
{
	must(prctl(PR_SET_NAME, "operations"), "prctl");
}

static const char *timer_start(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };

	return timer_create(CLOCK_MONOTONIC, &event, &timer) ? "timer_create()" : NULL;
}

/* Armed and disarmed. */
static void timer_run(void)
{
	static const struct itimerspec far = { .it_value.tv_sec = FAR_S }, none;

	must(timer_settime(timer, 0, &far, NULL), "timer_settime");
	must(timer_settime(timer, 0, &none, NULL), "timer_settime");
}

static void timer_stop(void)
{
	timer_delete(timer);
}

void bring_up_loopback(int fd)
{
	struct ifreq request = { .ifr_name = "lo" };

	must(ioctl(fd, SIOCGIFFLAGS, &request), "lo");
	request.ifr_flags |= IFF_UP;
	must(ioctl(fd, SIOCSIFFLAGS, &request), "lo");
}

/* The second socket receives the packets of the first. */
const char *udp_start(void)
{
	struct sockaddr_in here = { .sin_family = AF_INET };
	int i;

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (i = 0; i < 2; i++) {
		sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
		if (sockets[i] < 0)
			return "UDP";
		bring_up_loopback(sockets[i]);
		here.sin_port = htons(FIRST_PORT + i);
		must(bind(sockets[i], (struct sockaddr *)&here, sizeof(here)), "bind");
	}
	must(connect(sockets[0], (struct sockaddr *)&here, sizeof(here)), "connect");
	return NULL;
}

void udp_run(void)
{
	char data[DATA] = { };

	must(send(sockets[0], data, sizeof(data), 0), "send");
	must(recv(sockets[1], data, sizeof(data), 0), "recv");
}

void udp_stop(void)
{
	close(sockets[0]);
	close(sockets[1]);
}

static void handle(int number)
{
	(void)number;
}

static const char *signal_start(void)
{
	return signal(SIGUSR1, handle) == SIG_ERR ? "signal()" : NULL;
}

/* The handler has returned before kill() has. */
static void signal_run(void)
{
	must(kill(getpid(), SIGUSR1), "kill");
}

const struct operation simple_operations[] = {
	{ .name = "null", .run = null_run },
	{ .name = "read", .start = zero_start, .run = read_run, .stop = file_stop },
	{ .name = "write", .start = null_start, .run = write_run, .stop = file_stop },
	{ .name = "open", .start = open_start, .run = open_run, .stop = open_stop },
	{ .name = "name", .run = name_run },
	{ .name = "timer", .start = timer_start, .run = timer_run, .stop = timer_stop },
	{ .name = "signal", .start = signal_start, .run = signal_run },
	{ .name = "udp", .start = udp_start, .run = udp_run, .stop = udp_stop },
	{ }
};
