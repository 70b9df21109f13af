// SPDX-License-Identifier: GPL-2.0-only
/*
 * On arm64 one store replaces an instruction (markers/arch/arm64/text.c has the reason), and there
 * is no breakpoint.
 *
 * QEMU's user emulation up to 8.0 does not notice that text changes through another mapping: it
 * keeps executing the old translation, and IC IVAU does nothing. QEMU drops the translations of a
 * page when the page becomes writable, so this code makes the page writable for a moment.
 */
#include <sys/mman.h>
#include <unistd.h>
#include "text_arch.h"

static bool keeps_translations;

void text_arch_store(u8 *to, u8 *addr, const u8 *bytes, unsigned int len)
{
	u8 *page = (u8 *)((unsigned long)addr & PAGE_MASK);
	u32 insn;

	memcpy(&insn, bytes, sizeof(insn));
	WRITE_ONCE(*(u32 *)to, insn);
	__builtin___clear_cache((char *)addr, (char *)addr + len);
	if (keeps_translations &&
	    (mprotect(page, PAGE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC) ||
	     mprotect(page, PAGE_SIZE, PROT_READ | PROT_EXEC)))
		abort();	/* the program's own text: cannot fail */
}

void text_arch_wait(void)
{
}

/* "mov w0, #0; ret" and "mov w0, #1" in the place of the first. */
static const u32 returns_0[] = { 0x52800000, 0xd65f03c0 }, mov_1 = 0x52800020;

/* Executes a function, changes it through another mapping, and executes it again. */
static int try_emulator(int fd)
{
	u32 *writable, *executed;
	int (*fn)(void);

	if (ftruncate(fd, PAGE_SIZE))
		return -errno;
	writable = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	executed = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (writable == MAP_FAILED || executed == MAP_FAILED)
		return -errno;
	fn = (int (*)(void))executed;
	memcpy(writable, returns_0, sizeof(returns_0));
	__builtin___clear_cache((char *)executed, (char *)executed + sizeof(returns_0));
	fn();
	text_arch_store((u8 *)writable, (u8 *)executed, (const u8 *)&mov_1, sizeof(mov_1));
	keeps_translations = fn() != 1;
	munmap(writable, PAGE_SIZE);
	munmap(executed, PAGE_SIZE);
	return 0;
}

int text_arch_init(void)
{
	int fd = memfd_create("try", MFD_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = try_emulator(fd);
	close(fd);
	return ret;
}

void text_arch_exit(void)
{
}
