// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text as the kernel itself patches it, static keys and ftrace included: an int3 stands at
 * each instruction while it changes, and the kernel's handler does what the new one would
 * do.  Perf sees each change.
 *
 * The old bytes of all gates are read before the first is written (kernel/markers/patch.c),
 * and text_mutex keeps kprobes, ftrace and static keys out meanwhile.  Who asks
 * jump_label_text_reserved() has the first instruction of each gate decoded, and must not
 * meet an int3 there (MARKER_RESERVE() in env_site.h).
 *
 * Locks, in this order: cpu_hotplug_lock, jump_label_mutex, text_mutex.
 */
#include <linux/cpu.h>
#include <linux/jump_label.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/insn.h>
#include <asm/sync_core.h>
#include "poke.h"
#include "quiesce.h"
#include "writer.h"

/* Less than the kernel collects before it writes by itself, so rounds can be counted. */
#define BATCH	128

/* Of a batch: int3, the bytes behind it, the first byte. */
#define ROUNDS	3

void marker_text_lock(void)
{
	cpus_read_lock();
	jump_label_lock();
	mutex_lock(&text_mutex);
}

void marker_text_unlock(void)
{
	mutex_unlock(&text_mutex);
	jump_label_unlock();
	cpus_read_unlock();
}

/* For the writer of a module.  The wait takes cpu_hotplug_lock itself. */
void marker_text_quiesce(void)
{
	marker_text_unlock();
	marker_quiesce();
	marker_text_lock();
}
EXPORT_SYMBOL_GPL(marker_text_quiesce);

void marker_text_report(const struct marker_patch *patch)
{
	pr_err("%pS: found %*ph, expected %*ph%s\n", patch->addr, patch->len, patch->addr,
	       patch->len, patch->old,
	       *patch->addr == INT3_INSN_OPCODE ? ": a kprobe or breakpoint sits there" : "");
}

static void sync_one(void *unused)
{
	sync_core();
}

static int begin(const struct marker_patch *patches, unsigned int n)
{
	return 0;
}

static void quiet(const struct marker_patch *p, unsigned int n, bool alone,
		  struct marker_patch_stats *stats)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		text_poke(p[i].addr, p[i].new, p[i].len);
		perf_event_text_poke(p[i].addr, p[i].old, p[i].len, p[i].new, p[i].len);
	}
	if (!alone)
		return;
	on_each_cpu(sync_one, NULL, 1);
	stats->cpus = num_online_cpus();
	stats->rounds++;
}

/* What a CPU does that meets the int3, as one of the instructions that the kernel emulates. */
static void encode_emulated(const struct marker_patch *p, u8 insn[MAX_INSN_SIZE])
{
	s32 rel = p->to - (p->addr + p->len);

	insn[0] = p->call ? CALL_INSN_OPCODE : JMP32_INSN_OPCODE;
	memcpy(insn + 1, &rel, sizeof(rel));
}

static void live(const struct marker_patch *p, unsigned int n, struct marker_patch_stats *stats)
{
	u8 insn[MAX_INSN_SIZE] = { };
	unsigned int i;

	for (i = 0; i < n; i++) {
		encode_emulated(p + i, insn);
		marker_poke_add(p[i].addr, p[i].new, p[i].len, insn);
		if ((i + 1) % BATCH && i + 1 < n)
			continue;
		marker_poke_finish();
		stats->rounds += ROUNDS;
	}
	stats->cpus = num_online_cpus();
}

static void finish(const struct marker_patch *p, unsigned int n)
{
}

static void nothing(void)
{
}

/* All gates here are NOPs of 5 bytes that become jumps, and all calls have 5 bytes. */
const struct marker_writer marker_writer = {
	.begin = begin,
	.quiet = quiet,
	.live = live,
	.finish = finish,
	.end = nothing,
	.exit = nothing,
};

int marker_trap_init(void)
{
	return 0;
}

void marker_trap_exit(void)
{
}
