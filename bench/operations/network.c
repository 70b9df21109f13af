// SPDX-License-Identifier: GPL-2.0-only
/* TCP and UDP over IPv6 on loopback, and a file that epoll waits for. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "operations.h"

#define DATA	64	/* bytes of a message */
#define PORT	4003	/* and the next two */
#define SETTLED	100	/* exchanges until windows and buffers stay as they are */

static int one = -1, other = -1, poll_fd = -1;

static void stop(void)
{
	close(one);
	close(other);
}

/* Both directions, so that each message also acknowledges the one before. */
static void exchange(void)
{
	char data[DATA] = { };

	must(send(one, data, sizeof(data), 0), "send");
	must(recv(other, data, sizeof(data), 0), "recv");
	must(send(other, data, sizeof(data), 0), "send");
	must(recv(one, data, sizeof(data), 0), "recv");
}

static const char *tcp_start(void)
{
	struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int listening = socket(AF_INET, SOCK_STREAM, 0), on = 1, i;

	if (listening < 0)
		return "TCP";
	bring_up_loopback(listening);
	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(bind(listening, (struct sockaddr *)&here, sizeof(here)), "bind");
	must(listen(listening, 1), "listen");
	one = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
	must(connect(one, (struct sockaddr *)&here, sizeof(here)), "connect");
	other = must(accept(listening, NULL, NULL), "accept");
	must(setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), "TCP_NODELAY");
	must(setsockopt(other, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), "TCP_NODELAY");
	close(listening);
	for (i = 0; i < SETTLED; i++)
		exchange();
	return NULL;
}

static const char *udp6_start(void)
{
	struct sockaddr_in6 here = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };

	one = socket(AF_INET6, SOCK_DGRAM, 0);
	if (one < 0)
		return "IPv6";
	other = must(socket(AF_INET6, SOCK_DGRAM, 0), "socket");
	bring_up_loopback(one);
	here.sin6_port = htons(PORT + 1);
	must(bind(one, (struct sockaddr *)&here, sizeof(here)), "bind");
	here.sin6_port = htons(PORT + 2);
	must(bind(other, (struct sockaddr *)&here, sizeof(here)), "bind");
	must(connect(one, (struct sockaddr *)&here, sizeof(here)), "connect");
	return NULL;
}

static void udp6_run(void)
{
	char data[DATA] = { };

	must(send(one, data, sizeof(data), 0), "send");
	must(recv(other, data, sizeof(data), 0), "recv");
}

static const char *epoll_start(void)
{
	struct epoll_event wanted = { .events = EPOLLIN };
	int ends[2];

	poll_fd = epoll_create1(0);
	if (poll_fd < 0)
		return "epoll";
	must(pipe(ends), "pipe");
	one = ends[0];
	other = ends[1];
	must(epoll_ctl(poll_fd, EPOLL_CTL_ADD, one, &wanted), "epoll_ctl");
	return NULL;
}

static void epoll_run(void)
{
	struct epoll_event found;
	char byte = 0;

	must(write(other, &byte, 1), "write");
	must(epoll_wait(poll_fd, &found, 1, -1), "epoll_wait");
	must(read(one, &byte, 1), "read");
}

static void epoll_stop(void)
{
	close(poll_fd);
	stop();
}

const struct operation network_operations[] = {
	{ .name = "udp6", .start = udp6_start, .run = udp6_run, .stop = stop },
	/* The first exchanges after a pause open the windows again. */
	{ .name = "tcp", .start = tcp_start, .run = exchange, .stop = stop, .more = 3 },
	{ .name = "epoll", .start = epoll_start, .run = epoll_run, .stop = epoll_stop },
	{ }
};
