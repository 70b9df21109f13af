// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the ticks of the time stamp counter that calls of the kernel take, under icount its
 * instructions, and what they are to be divided by:
 *
 *	ticks read FILE		reads all of FILE; its bytes
 *	ticks write FILE TEXT	writes TEXT and a newline to FILE in one call; 1
 *	ticks load FILE FROM TO	loads the module in FILE once for each number from FROM to TO, with
 *				each "thousand" replaced by "t" and 7 digits; the loads
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#define REPLACED	"thousand"
#define STEP		65536

static unsigned long long ticks;

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static unsigned long read_all(const char *path)
{
	static char buffer[STEP];
	unsigned long sum = 0;
	int fd = open_file(path, O_RDONLY | O_NONBLOCK);
	unsigned long long start = __rdtsc();
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		sum += n;
	ticks = __rdtsc() - start;
	return sum;
}

static unsigned long write_text(const char *path, char *text)
{
	size_t length = strlen(text);
	int fd = open_file(path, O_WRONLY);
	unsigned long long start;
	ssize_t n;

	text[length] = '\n';
	start = __rdtsc();
	n = write(fd, text, length + 1);
	ticks = __rdtsc() - start;
	if (n < 0)
		err(1, "%s", path);
	return 1;
}

static void load(const char *module, size_t size, unsigned int number)
{
	char *copy = malloc(size), *at = copy, name[sizeof(REPLACED)];
	unsigned long long start;

	if (!copy)
		err(1, "malloc");
	memcpy(copy, module, size);
	snprintf(name, sizeof(name), "t%07u", number % 10000000);
	while ((at = memmem(at, copy + size - at, REPLACED, strlen(REPLACED))))
		memcpy(at, name, strlen(REPLACED));
	start = __rdtsc();
	if (syscall(SYS_init_module, copy, size, ""))
		err(1, "module %u", number);
	ticks += __rdtsc() - start;
	free(copy);
}

static unsigned long load_copies(const char *path, unsigned int from, unsigned int to)
{
	int fd = open_file(path, O_RDONLY);
	struct stat status;
	unsigned int i;
	char *module;

	if (fstat(fd, &status))
		err(1, "%s", path);
	module = malloc(status.st_size);
	if (!module || read(fd, module, status.st_size) != status.st_size)
		err(1, "%s", path);
	for (i = from; i <= to; i++)
		load(module, status.st_size, i);
	return to - from + 1;
}

int main(int argc, char **argv)
{
	unsigned long by;

	if (argc == 3 && !strcmp(argv[1], "read"))
		by = read_all(argv[2]);
	else if (argc == 4 && !strcmp(argv[1], "write"))
		by = write_text(argv[2], argv[3]);
	else if (argc == 5 && !strcmp(argv[1], "load"))
		by = load_copies(argv[2], atoi(argv[3]), atoi(argv[4]));
	else
		errx(2, "usage: ticks read FILE | write FILE TEXT | load FILE FROM TO");
	printf("%llu %lu\n", ticks, by);
	return 0;
}
