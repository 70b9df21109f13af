// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs FILE N: N times an event of LTTng-UST, a write of "1" to FILE, whose handler in the
 * kernel passes a marker, and another event of LTTng-UST: "before i" and "after i".
 */
#include <fcntl.h>
#include <lttng/tracef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int file, i, count = argc == 3 ? atoi(argv[2]) : 0;

	if (count <= 0) {
		fprintf(stderr, "usage: pairs FILE N\n");
		return 2;
	}
	file = open(argv[1], O_WRONLY);
	if (file < 0) {
		perror(argv[1]);
		return 1;
	}
	for (i = 0; i < count; i++) {
		lttng_ust_tracef("before %d", i);
		if (write(file, "1", 1) != 1) {
			perror(argv[1]);
			return 1;
		}
		lttng_ust_tracef("after %d", i);
	}
	return 0;
}
