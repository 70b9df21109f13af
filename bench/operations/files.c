// SPDX-License-Identifier: GPL-2.0-only
/* Files: stat(), a file of tmpfs and one of ext4, and a read by io_uring. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/loop.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "operations.h"

#define MADE	"/made"		/* a file in memory */
#define MOUNTED	"/mounted"	/* where a file system is mounted */
#define NAME	"file"		/* in it */
#define IMAGE	"/ext4"		/* of a file system, which the host has made */
#define LOOP	"/dev/loop0"
#define ENTRIES	4		/* of a ring */

static int folder = -1, loop = -1, ring = -1, zero = -1;
static struct io_uring_params params;
static char *submitted, *completed;
static struct io_uring_sqe *entries;
static char byte;

static const char *stat_start(void)
{
	int made = open(MADE, O_WRONLY | O_CREAT, 0600);

	return made < 0 || close(made) ? MADE : NULL;
}

static void stat_run(void)
{
	struct stat found;

	must(stat(MADE, &found), MADE);
}

static void stat_stop(void)
{
	must(unlink(MADE), MADE);
}

static const char *mounted(const char *from, const char *type)
{
	int made;

	mkdir(MOUNTED, 0700);
	if (mount(from, MOUNTED, type, 0, NULL))
		return type;
	folder = must(open(MOUNTED, O_RDONLY | O_DIRECTORY), MOUNTED);
	made = must(openat(folder, NAME, O_WRONLY | O_CREAT, 0600), NAME);
	close(made);
	return NULL;
}

static const char *tmpfs_start(void)
{
	return mounted("none", "tmpfs");
}

static const char *ext4_start(void)
{
	int image = open(IMAGE, O_RDWR);
	const char *lacking;

	loop = open(LOOP, O_RDWR);
	if (image < 0 || loop < 0 || ioctl(loop, LOOP_SET_FD, image))
		return "a loop device";
	close(image);
	lacking = mounted(LOOP, "ext4");
	if (lacking)
		close(loop);
	return lacking;
}

static void open_run(void)
{
	close(must(openat(folder, NAME, O_RDONLY | O_CLOEXEC), NAME));
}

static void unmount(void)
{
	close(folder);
	must(umount(MOUNTED), MOUNTED);
}

static void ext4_stop(void)
{
	unmount();
	ioctl(loop, LOOP_CLR_FD, 0);
	close(loop);
}

static void *map_ring(size_t size, off_t what)
{
	void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, what);

	return found == MAP_FAILED ? NULL : found;
}

static const char *io_uring_start(void)
{
	memset(&params, 0, sizeof(params));
	ring = syscall(SYS_io_uring_setup, ENTRIES, &params);
	if (ring < 0)
		return "io_uring";
	submitted = map_ring(params.sq_off.array + params.sq_entries * sizeof(__u32),
			     IORING_OFF_SQ_RING);
	completed = map_ring(params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
			     IORING_OFF_CQ_RING);
	entries = map_ring(params.sq_entries * sizeof(*entries), IORING_OFF_SQES);
	zero = open("/dev/zero", O_RDONLY);
	if (!submitted || !completed || !entries || zero < 0)
		return "a ring of io_uring";
	entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ, .fd = zero, .addr = (uintptr_t)&byte, .len = 1,
	};
	return NULL;
}

/* The read is the same each time, so only the indices of the rings change. */
static void io_uring_run(void)
{
	__u32 *tail = (__u32 *)(submitted + params.sq_off.tail);
	__u32 *array = (__u32 *)(submitted + params.sq_off.array);
	__u32 *head = (__u32 *)(completed + params.cq_off.head);

	array[*tail % params.sq_entries] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	must(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0), "io_uring");
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

static void io_uring_stop(void)
{
	close(zero);
	close(ring);
}

const struct operation file_operations[] = {
	{ .name = "stat", .start = stat_start, .run = stat_run, .stop = stat_stop },
	{ .name = "tmpfs", .start = tmpfs_start, .run = open_run, .stop = unmount },
	{ .name = "ext4", .start = ext4_start, .run = open_run, .stop = ext4_stop },
	{ .name = "io_uring", .start = io_uring_start, .run = io_uring_run, .stop = io_uring_stop },
	{ }
};
