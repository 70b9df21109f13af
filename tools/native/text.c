// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of this program, made patchable: it is copied into a memory file,
 * which is then mapped twice, executable in the place of the original and
 * writable elsewhere.  No page is ever both.
 *
 * The program has to be linked at a fixed address (-no-pie), and what contains
 * sites compiled with -mno-red-zone, since a breakpoint may push an address.
 */
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <ucontext.h>
#include <unistd.h>
#include "patch.h"
#include "quiesce.h"
#include "text.h"

bool marker_text_write_twice;

extern u8 __executable_start[], __etext[];

static u8 *text_start, *text_end, *writable;
static unsigned int trapping;	/* threads in on_trap() */
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

/* Nothing else patches the program. */
void marker_text_lock(void)
{
}

void marker_text_unlock(void)
{
}

/*
 * A kernel's breakpoint handler ends before its CPU answers marker_text_sync().  A
 * signal is delivered at some later time, and its handler can be under way:
 * marker_patch_apply() has taken the transaction back, and waits here for those who
 * may still read it.
 */
void marker_text_unmap(struct marker_text_alias *alias)
{
	alias->map = NULL;
	/* (B): the pointer to the transaction was cleared, then this is read. */
	smp_mb();
	while (READ_ONCE(trapping))
		sched_yield();
}

void marker_text_quiesce(void)
{
	marker_quiesce();
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	u8 *to = (u8 *)alias->map + (addr - text_start);

	while (len--) {
		WRITE_ONCE(*to, *bytes);
		to++;
		bytes++;
	}
}

static int membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

unsigned int marker_text_sync(void)
{
	if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
		abort();	/* it was registered: cannot fail */
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

/*
 * membarrier() does not wait for signals under way, as the kernel's round of
 * interrupts waits for its trap handlers.  So this may run between two
 * transactions, and the second one may put its int3 here just before
 * marker_patch_trap() looks at the byte.  Executing it again decides; one that is
 * really not ours stays.
 */
#define RETRIES 1000

static __thread unsigned int retries;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	u8 *addr = (u8 *)regs[REG_RIP] - 1, *to = addr;
	enum marker_patch_verdict verdict;

	(void)info;
	/* Pairs with (B): counted first, then the transaction is looked for. */
	__atomic_fetch_add(&trapping, 1, __ATOMIC_SEQ_CST);
	verdict = marker_patch_trap(addr, &to);
	if (verdict != PATCH_NOT_OURS)
		retries = 0;
	switch (verdict) {
	case PATCH_CALL:
		regs[REG_RSP] -= 8;
		*(u8 **)regs[REG_RSP] = addr + 5;
		break;
	case PATCH_JUMP:
	case PATCH_RETRY:
		break;
	default:
		if (retries++ < RETRIES)
			break;
		psignal(signal, "a breakpoint that is not ours");
		abort();
	}
	regs[REG_RIP] = (greg_t)to;
	__atomic_fetch_sub(&trapping, 1, __ATOMIC_RELEASE);
}

int marker_trap_init(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
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
	return sigaction(SIGTRAP, &action, NULL) ? -errno : 0;
}

void marker_trap_exit(void)
{
	signal(SIGTRAP, SIG_DFL);
}
