// SPDX-License-Identifier: GPL-2.0-only
/*
 * each_nth write FILE TEXT UNDO STATE...	writes TEXT, and UNDO to take it back
 * each_nth load FILE.ko NAME STATE...		loads a module, and unloads it
 * each_nth read FILE STATE...			opens it and reads it to its end
 *
 * Does it again and again in a kernel with fault injection, where the first allocation
 * fails, then the second, until none is left to fail. Each time either an error comes back,
 * or it is done as without a fault (what is read is the same, too), and is taken back; then
 * the state has to be as before: the text of the files STATE, and the names in those that
 * are folders. What UNDO has to write to another file is behind that file's path and a
 * blank; it may have several such lines. Prints how many have failed and what the errors
 * were. 1: something else was there, or it does not end; 2: the kernel has no fault
 * injection, or a file cannot be opened.
 *
 * A module is loaded to another address each time, so of what is there then only the names in
 * folders are compared.
 *
 * Linked statically, for the bare guest.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST		20000		/* allocations that one step may have */
#define STATE_MAX	1048576		/* bytes of all files of the state */
#define ERRNOS		134
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

struct step {
	const char *name;
	int nargs;			/* before the files of the state */
	/* 0, or a negative errno. */
	int (*act)(int fd, char **args);
	int (*undo)(int fd, char **args);
	int flags;			/* of the file; -1: act() opens it */
	bool only_names;		/* are the same each time it is done */
};

static int result(long ret)
{
	return ret < 0 ? -errno : 0;
}

static int write_text(int fd, const char *text)
{
	return result(write(fd, text, strlen(text)));
}

static int act_write(int fd, char **args)
{
	return write_text(fd, args[1]);
}

/* A line of UNDO, "PATH TEXT". */
static int write_other(const char *line, size_t len)
{
	const char *text = memchr(line, ' ', len);
	char path[256];
	int fd, ret;

	if (!text || (size_t)(text - line) >= sizeof(path))
		errx(2, "UNDO: want PATH TEXT: %s", line);
	snprintf(path, sizeof(path), "%.*s", (int)(text - line), line);
	text++;
	fd = open(path, O_WRONLY);
	if (fd < 0)
		err(2, "%s", path);
	ret = result(write(fd, text, line + len - text));
	close(fd);
	return ret;
}

static int undo_write(int fd, char **args)
{
	const char *line = args[2], *end;
	int ret = 0;

	if (*line != '/')
		return write_text(fd, line);
	for (; *line && !ret; line = end + !!*end) {
		end = strchrnul(line, '\n');
		ret = write_other(line, end - line);
	}
	return ret;
}

static int act_load(int fd, char **args)
{
	return result(syscall(SYS_finit_module, fd, "", 0));
}

static int undo_load(int fd, char **args)
{
	return result(syscall(SYS_delete_module, args[1], O_NONBLOCK));
}

/* Content that act_read() has read. */
static char content[STATE_MAX + 1];

static int act_read(int fd, char **args)
{
	size_t len = 0;
	ssize_t n;
	int ret;

	/* Memory for what is read is allocated once for each opening. */
	fd = open(args[0], O_RDONLY);
	if (fd < 0)
		return -errno;
	do
		n = read(fd, content + len, STATE_MAX - len);
	while (n > 0 && (len += n) < STATE_MAX);
	ret = result(n);
	content[len] = '\0';
	close(fd);
	return ret;
}

static int undo_nothing(int fd, char **args)
{
	return 0;
}

static const struct step steps[] = {
	{ "write", 3, act_write, undo_write, O_WRONLY, false },
	{ "load", 2, act_load, undo_load, O_RDONLY, true },
	{ "read", 1, act_read, undo_nothing, -1, false },
};

/* The names in a folder, a line each; false if @path is none. */
static bool append_names(const char *path, char *state, size_t *len)
{
	struct dirent **names;
	int i, n = scandir(path, &names, NULL, alphasort);

	if (n < 0 && errno == ENOTDIR)
		return false;
	/* The folder of a module that is not loaded does not exist. */
	if (n < 0 && errno != ENOENT)
		err(2, "%s", path);
	for (i = 0; i < n; i++) {
		*len += snprintf(state + *len, STATE_MAX - *len, "%s/%s\n", path, names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return true;
}

static void append_text(const char *path, char *state, size_t *len)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		err(2, "%s", path);
	while ((n = read(fd, state + *len, STATE_MAX - *len)) > 0)
		*len += n;
	if (n < 0 || *len >= STATE_MAX)
		err(2, "%s", path);
	close(fd);
}

static void read_state(char **paths, bool only_names, char *state)
{
	size_t len = 0;

	for (; *paths; paths++)
		if (!append_names(*paths, state, &len) && !only_names)
			append_text(*paths, state, &len);
	state[len] = '\0';
}

/* Ends with 1 if @found is not @expected. */
static void compare(const char *expected, const char *found, const char *when, unsigned int n)
{
	if (!strcmp(expected, found))
		return;
	/* Back to the beginning of the first line that is not the same. */
	while (*expected && *expected == *found) {
		expected++;
		found++;
	}
	errx(1, "allocation %u failed: %s: expected ...%.*s, found ...%.*s", n, when,
	     (int)strcspn(expected, "\n"), expected, (int)strcspn(found, "\n"), found);
}

/* True if the @n-th allocation has failed in @step; with what is @ret. */
static bool do_nth(int nth, unsigned int n, const struct step *step, int fd, char **args, int *ret)
{
	char text[16];
	ssize_t len;

	snprintf(text, sizeof(text), "%u", n);
	if (pwrite(nth, text, strlen(text), 0) < 0)
		err(2, "/proc/self/fail-nth");
	*ret = step->act(fd, args);
	len = pread(nth, text, sizeof(text) - 1, 0);
	if (len <= 0 || pwrite(nth, "0", 1, 0) < 0)
		err(2, "/proc/self/fail-nth");
	text[len] = '\0';
	return !atoi(text);
}

static const struct step *find_step(int argc, char **argv)
{
	const struct step *step;

	for (step = steps; step < steps + ARRAY_SIZE(steps); step++)
		if (argc > 1 && !strcmp(argv[1], step->name) && argc >= 2 + step->nargs)
			return step;
	errx(2, "usage: each_nth write FILE TEXT UNDO STATE...\n"
	     "       each_nth load FILE.ko NAME STATE...\n"
	     "       each_nth read FILE STATE...");
}

static void take_back(const struct step *step, int fd, char **args)
{
	int ret = step->undo(fd, args);

	if (ret)
		errx(1, "taking it back: %s", strerror(-ret));
}

int main(int argc, char **argv)
{
	static char before[STATE_MAX + 1], during[STATE_MAX + 1], found[STATE_MAX + 1];
	static char wanted[STATE_MAX + 1];
	const struct step *step = find_step(argc, argv);
	unsigned int n, i, passed = 0, errors[ERRNOS] = { };
	char **args = argv + 2, **paths = args + step->nargs;
	int nth, fd, ret;

	nth = open("/proc/self/fail-nth", O_RDWR);
	if (nth < 0)
		err(2, "/proc/self/fail-nth");
	fd = step->flags < 0 ? -1 : open(args[0], step->flags);
	if (step->flags >= 0 && fd < 0)
		err(2, "%s", args[0]);
	read_state(paths, false, before);
	ret = step->act(fd, args);
	if (ret)
		errx(1, "without a fault: %s", strerror(-ret));
	strcpy(wanted, content);
	read_state(paths, step->only_names, during);
	take_back(step, fd, args);
	for (n = 1; n <= MOST; n++) {
		bool failed = do_nth(nth, n, step, fd, args, &ret);

		if (!ret) {
			compare(wanted, content, "another text is read", n);
			read_state(paths, step->only_names, found);
			compare(during, found, "done, and not as without that", n);
			take_back(step, fd, args);
		}
		read_state(paths, false, found);
		compare(before, found, "not as before", n);
		if (!failed)
			break;
		if (ret)
			errors[-ret]++;
		else
			passed++;
	}
	if (n > MOST)
		errx(1, "it does not end");
	printf("%u allocations failed: %u passed over", n - 1, passed);
	for (i = 0; i < ERRNOS; i++)
		if (errors[i])
			printf(", %u %s", errors[i], strerrorname_np(i));
	printf("\n");
	return 0;
}
