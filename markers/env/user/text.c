// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of this program, made patchable: it is copied into a memory file,
 * which is then mapped twice, executable in the place of the original and
 * writable elsewhere.  No page is ever both.
 *
 * The program has to be linked at a fixed address (-no-pie), and code with
 * sites on x86 compiled with -mno-red-zone, since a breakpoint may push an address.
 */
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include "patch.h"
#include "quiesce.h"
#include "text.h"
#include "text_arch.h"

bool marker_text_write_twice;

extern u8 __executable_start[], __etext[];

static u8 *text_start, *text_end, *writable;
static unsigned int cpus;

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (patches[i].addr < text_start ||
		    patches[i].addr + patches[i].len > text_end)
			return -EFAULT;
	alias->map = writable;
	return 0;
}

/* No other code patches the program, so there is nothing to lock. */
void marker_text_lock(void)
{
}

void marker_text_unlock(void)
{
}

void marker_text_unmap(struct marker_text_alias *alias)
{
	alias->map = NULL;
	text_arch_wait();
}

void marker_text_quiesce(void)
{
	marker_quiesce();
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	text_arch_store((u8 *)alias->map + (addr - text_start), addr, bytes, len);
}

static int membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

unsigned int marker_text_sync(void)
{
	if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
		abort();	/* registered text: cannot fail */
	return cpus;
}

static void print_bytes(const char *what, const u8 *bytes, unsigned int len)
{
	fputs(what, stderr);
	while (len--)
		fprintf(stderr, " %02x", *bytes++);
}

void marker_text_report(const struct marker_patch *patch)
{
	fprintf(stderr, "markers: %p:", patch->addr);
	print_bytes(" found", patch->addr, patch->len);
	print_bytes(", expected", patch->old, patch->len);
	fputc('\n', stderr);
}

int marker_trap_init(void)
{
	size_t size;
	int fd;

	text_start = (u8 *)((unsigned long)__executable_start & PAGE_MASK);
	text_end = (u8 *)PAGE_ALIGN((unsigned long)__etext);
	size = text_end - text_start;
	cpus = get_nprocs();	/* reads a file: too slow for each sync */
	if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE))
		return -errno;
	fd = memfd_create("text", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, size))
		return -errno;
	writable = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (writable == MAP_FAILED)
		return -errno;
	memcpy(writable, text_start, size);
	if (mmap(text_start, size, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, fd, 0) !=
	    text_start)
		return -errno;
	close(fd);
	return text_arch_init();
}

void marker_trap_exit(void)
{
	text_arch_exit();
}
