// SPDX-License-Identifier: GPL-2.0-only
/*
 * writes SEED N FILE...: writes N texts to each file, first what such a file takes, then the same
 * as long as the file takes a text, then what is made of that by changing, repeating and cutting
 * it, and reads the file now and then.  What
 * is taken can wait for all CPUs, so most of it is not to be taken.  Prints for each file how
 * many writes the kernel has accepted and refused, by error.  1: a write was neither, or a
 * file cannot be opened.
 *
 * Linked statically, for the bare guest.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define LONGEST	1048576
#define USUAL	160
#define READ_EVERY	256
#define ERRNOS	134

#define SEEDS_MAX	20

/* By the ends of their paths, the last for all others; what they take, up to NULL. */
static const struct kind {
	const char *path;
	unsigned int longest;		/* bytes of a text that is not too long */
	const char *seeds[SEEDS_MAX];
} kinds[] = {
	{ "/markers/control", LONGEST, {
		"connect subsys_mark1 count", "connect * count if arg0==1 && arg1!=2",
		"disconnect *", "connect test_* trace first=3; disconnect test_*",
		"arm nothing_yet count; disconnect nothing_yet",
		"connect module:marker_test hist arg=0", "connect site:1 event",
		"disconnect site:1 event", "connect types_texts ctf",
		"connect sites.c:20 stack\n# a comment\ndisconnect id:3",
		"connect types_texts count if arg1==\"a text\"", "expose test_* types_*",
		"connect subsys_mark1 count label=l", "arm types_texts count if arg1==text",
		"connect types_texts latency key=0 from=types_ints", "expose" } },
	{ "/control", 256, {
		"size=16K", "size=64K mode=overwrite", "mode=discard", "addresses=raw",
		"addresses=hashed clock=mono", "clock=auto", "stop", "start", "flush", "snapshot",
		"disconnect" } },
	{ "/sessions", 256, {
		"create a", "remove a", "create b-2", "remove b-2", "remove default" } },
	{ "/filter", 4095, {
		"line > 1", "common_pid != 0 && !(line == 7)", "name ~ \"test*\"", "0", "none" } },
	{ "/trigger", 4095, {
		"stacktrace", "!stacktrace", "traceoff:1 if line > 7", "!traceoff:1 if line > 7",
		"hist:keys=line:size=128", "!hist:keys=line", "snapshot:1", "!snapshot:1",
		"enable_event:markers:marker", "!enable_event:markers:marker" } },
	{ "/enable", 4095, { "1", "0", "2", "Y" } },
	{ "", 4095, {
		"1", "0", "-1", "Y", "nop5", "flip", "0x7fffffffffffffff",
		"18446744073709551616" } },
};

static uint64_t state;
static char text[LONGEST + 1];

static uint64_t random_word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static unsigned int below(unsigned int n)
{
	return random_word() % n;
}

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len >= n && !strcmp(path + len - n, end);
}

static const struct kind *kind_of(const char *path)
{
	const struct kind *kind = kinds;

	while (!ends_with(path, kind->path))
		kind++;
	return kind;
}

static unsigned int count_seeds(const struct kind *kind)
{
	unsigned int n = 0;

	while (n < SEEDS_MAX && kind->seeds[n])
		n++;
	return n;
}

/* Return a seed of @kind, now and then of another kind. */
static const char *seed_of(const struct kind *kind)
{
	if (!below(8))
		kind = kinds + below(ARRAY_SIZE(kinds));
	return kind->seeds[below(count_seeds(kind))];
}

static size_t append(const struct kind *kind, size_t len, size_t most)
{
	const char *seed = seed_of(kind);
	size_t n = strlen(seed);

	if (len + n + 1 > most)
		return len;
	memcpy(text + len, seed, n);
	text[len + n] = ";\n &|"[below(5)];
	return len + n + 1;
}

/* Linux 6.1 does not free the first "keys=" or "key=" of a trigger that has others behind them. */
static void keep_first_keys(size_t len)
{
	static const char word[] = "key";
	char *at = memmem(text, len, word, strlen(word));

	while (at && (at = memmem(at + 1, text + len - at - 1, word, strlen(word))))
		*at = 'K';
}

/* @seed with one of its letters repeated, so that it has @kind's greatest length, or one more. */
static size_t stretch(const struct kind *kind, const char *seed)
{
	size_t len = strlen(seed), most = kind->longest + !below(4), at = below(len);

	memcpy(text, seed, at);
	memset(text + at, seed[at], most - len);
	memcpy(text + at + most - len, seed + at, len - at);
	return most;
}

/* The length of the text of that number. */
static size_t make_text(const struct kind *kind, unsigned long number)
{
	size_t most = below(1000) ? USUAL : 1 + below(kind->longest), len = 0, i;

	if (number < SEEDS_MAX || !below(64)) {
		strcpy(text, number < count_seeds(kind) ? kind->seeds[number] : seed_of(kind));
		return strlen(text);
	}
	if (number < 2 * SEEDS_MAX)
		return stretch(kind, kind->seeds[number % count_seeds(kind)]);
	if (!below(8)) {
		for (i = 0; i < most; i++)
			text[i] = random_word();
		return most;
	}
	for (i = 1 + below(most > USUAL ? 4000 : 3); i; i--)
		len = append(kind, len, most);
	for (i = 1 + below(4); i && len; i--)
		text[below(len)] = random_word();
	return len && !below(3) ? below(len) : len;
}

static int read_all(const char *path)
{
	static char read_to[65536];
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	ssize_t n;
	int reads = 64;		/* a file that never ends is no error */

	if (fd < 0)
		return errno == EACCES || errno == EPERM ? 0 : -1;
	do
		n = read(fd, read_to, sizeof(read_to));
	while (n > 0 && --reads);
	close(fd);
	return 0;
}

static int write_all(const char *path, unsigned long times)
{
	const struct kind *kind = kind_of(path);
	unsigned long counts[ERRNOS] = { }, i;
	unsigned int error;
	ssize_t written;
	size_t len;
	int fd;

	for (i = 0; i < times; i++) {
		fd = open(path, O_WRONLY | O_NONBLOCK);
		if (fd < 0) {
			perror(path);
			return 1;
		}
		len = make_text(kind, i);
		keep_first_keys(len);
		written = write(fd, text, len);
		error = written < 0 ? errno : 0;
		close(fd);
		if (written > (ssize_t)len || error >= ERRNOS) {
			fprintf(stderr, "%s: write() of %zu bytes returned %zd, errno %u\n",
				path, len, written, error);
			return 1;
		}
		counts[error]++;
		if (!(i % READ_EVERY))
			read_all(path);
	}
	printf("%s: %lu accepted", path, counts[0]);
	for (error = 1; error < ERRNOS; error++)
		if (counts[error])
			printf(", %lu %s", counts[error], strerrorname_np(error));
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long times;
	int i, ret = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: writes SEED N FILE...\n");
		return 2;
	}
	state = strtoull(argv[1], NULL, 0) * 2 + 1;
	times = strtoul(argv[2], NULL, 0);
	for (i = 3; i < argc; i++)
		ret |= write_all(argv[i], times);
	return ret;
}
