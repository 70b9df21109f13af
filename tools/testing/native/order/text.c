// SPDX-License-Identifier: GPL-2.0-only
/* Tests of markers/arch/x86/text_write.c: it stores each byte once, and waits for all CPUs. */
#include "order.h"

static int on_each_cpu(void (*function)(void *info), void *info, int wait)
{
	order_note(wait ? "all CPUs, and wait" : "all CPUs", NULL);
	function(info);
	return 0;
}

static void sync_core(void)
{
	order_note("sync_core", NULL);
}

static unsigned int num_online_cpus(void)
{
	return 3;
}

#include "arch/x86/text_write.c"

static u8 memory[32];

void *marker_text_alias_at(struct marker_text_alias *alias, const u8 *addr)
{
	return alias ? NULL : memory + 8 + (unsigned long)addr;
}

/* True if exactly @len bytes from 1 on are stored, 8 bytes from the beginning. */
static bool are_written(unsigned int len)
{
	unsigned int i;

	for (i = 0; i < sizeof(memory); i++)
		if (memory[i] != (i >= 8 && i < 8 + len ? i - 7 : 0xee))
			return false;
	return true;
}

int main(void)
{
	static const u8 bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	unsigned int len, wrong = 0;

	for (len = 0; len <= sizeof(bytes); len++) {
		memset(memory, 0xee, sizeof(memory));
		marker_text_write(NULL, (u8 *)0, bytes, len);
		wrong += !are_written(len);
	}
	order_expect(!wrong, "the bytes are stored, and none beside them, for each length");
	order_expect(marker_text_sync() == 3, "it says how many CPUs");
	order_expect(order_is("all CPUs, and wait", NULL, "sync_core", NULL),
		     "each CPU synchronises its core, and is waited for");
	return order_end();
}
