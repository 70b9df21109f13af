// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ping flood on loopback: sends an ICMP echo request, as ping(8) does, and the next request when
 * the reply has come, as ping -f does without loss. The kernel answers. Needs root, and "lo" up.
 */
#include <arpa/inet.h>
#include <err.h>
#include <linux/icmp.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "workloads.h"

#define DATA		56	/* bytes, as ping sends */
#define PATIENCE_S	10

struct echo {
	struct icmphdr head;
	uint8_t data[DATA];
};

static uint16_t checksum(const void *data, size_t length)
{
	const uint8_t *bytes = data;
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < length; i++)
		sum += i % 2 ? bytes[i] : bytes[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum & 0xffff);
}

static int open_socket(void)
{
	struct timeval patience = { .tv_sec = PATIENCE_S };
	struct icmp_filter filter = { .data = ~(1u << ICMP_ECHOREPLY) };
	struct sockaddr_in here = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0)
		err(1, "ping: a raw socket");
	if (setsockopt(fd, SOL_RAW, ICMP_FILTER, &filter, sizeof(filter)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    connect(fd, (struct sockaddr *)&here, sizeof(here)))
		err(1, "ping: 127.0.0.1");
	return fd;
}

/* Send one request and wait for its reply. */
static void echo(int fd, uint16_t id, uint16_t sequence)
{
	struct echo request = { .head = { .type = ICMP_ECHO } };
	union {
		struct iphdr ip;
		uint8_t bytes[sizeof(struct iphdr) + sizeof(struct echo) + 40];
	} packet;
	struct icmphdr reply;
	ssize_t got;

	request.head.un.echo.id = htons(id);
	request.head.un.echo.sequence = htons(sequence);
	request.head.checksum = checksum(&request, sizeof(request));
	if (send(fd, &request, sizeof(request), 0) != sizeof(request))
		err(1, "ping: send");
	do {
		got = recv(fd, &packet, sizeof(packet), 0);
		if (got < (ssize_t)(sizeof(struct iphdr) + sizeof(request)))
			err(1, "ping: no reply");
		memcpy(&reply, packet.bytes + packet.ip.ihl * 4, sizeof(reply));
	} while (ntohs(reply.un.echo.id) != id || ntohs(reply.un.echo.sequence) != sequence);
}

int ping_run(unsigned int ops, char **command, struct span *span)
{
	uint16_t id = getpid() & 0xffff;
	int fd = open_socket();
	unsigned int i;

	(void)command;
	echo(fd, id, 0);
	span_start(span);
	for (i = 0; i < ops; i++)
		echo(fd, id, i + 1);
	span_stop(span);
	close(fd);
	return 0;
}
