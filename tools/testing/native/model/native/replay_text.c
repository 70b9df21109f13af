// SPDX-License-Identifier: GPL-2.0-only
/* The text, the syncs and the waits of replay_dispatch.c, which notes what they show. */
#include <err.h>
#include <sys/mman.h>
#include "patch.h"
#include "quiesce.h"
#include "steps.h"
#include "text.h"

bool marker_text_write_twice;
void (*marker_quiesce_late)(void);

extern u8 __executable_start[], __etext[];

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	return 0;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
}

void marker_text_lock(void)
{
}

void marker_text_unlock(void)
{
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	steps_poll_data();
	memcpy(addr, bytes, len);
}

unsigned int marker_text_sync(void)
{
	steps_poll();
	return 1;
}

void marker_text_quiesce(void)
{
}

void marker_text_report(const struct marker_patch *patch)
{
}

void marker_quiesce_begin(void)
{
	steps_poll();
	steps_note("begin wait", NULL);
}

int marker_quiesce_wait(void)
{
	steps_poll();
	steps_note("end wait", NULL);
	return 0;
}

void marker_quiesce(void)
{
}

/* Make the text writable; this program does not execute the bytes that are written. */
int marker_trap_init(void)
{
	u8 *start = (u8 *)((unsigned long)__executable_start & PAGE_MASK);
	u8 *end = (u8 *)PAGE_ALIGN((unsigned long)__etext);

	if (mprotect(start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC))
		err(2, "the program's text cannot be made writable");
	return 0;
}

void marker_trap_exit(void)
{
}
