// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep other writers of module text out while markers.ko patches it, with the symbols that a
 * stock kernel exports.  text_write.c stores the bytes.
 *
 * The kernel's own patching (static keys, ftrace, kprobes) works on other
 * instructions.  But register_kprobe() decodes the first instruction of each gate of a module,
 * under jump_label_mutex, and must not read our int3 there (MARKER_RESERVE() in
 * env_site.h); and text_mutex keeps other writers out between the verification
 * of the old bytes and the last round.
 *
 * Context: all may sleep.
 *
 * Locks, in the kernel's own order: cpu_hotplug_lock, jump_label_mutex,
 * text_mutex; all inside marker_mutex.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include "kernel_data.h"
#include "patch.h"
#include "quiesce.h"
#include "text_alias.h"

#ifdef CONFIG_KPROBES
static struct {
	struct mutex *jump_label, *text;
} locks;

static bool find_mutex(struct mutex **mutex, const char *name)
{
	*mutex = marker_kernel_data(name);
	if (!*mutex)
		pr_err("%s: register_kprobe() does not find this symbol of data; is CONFIG_KALLSYMS_ALL set?\n",
		       name);
	return *mutex;
}

static bool find_locks(void)
{
	if (locks.text)
		return true;
	return (!IS_ENABLED(CONFIG_JUMP_LABEL) ||
		find_mutex(&locks.jump_label, "jump_label_mutex")) &&
	       find_mutex(&locks.text, "text_mutex");
}

void marker_text_lock(void)
{
	cpus_read_lock();
	if (locks.jump_label)
		mutex_lock(locks.jump_label);
	mutex_lock(locks.text);
}

void marker_text_unlock(void)
{
	mutex_unlock(locks.text);
	if (locks.jump_label)
		mutex_unlock(locks.jump_label);
	cpus_read_unlock();
}
#else
/* No kprobe is set meanwhile, and the others work on instructions of their own. */
static bool find_locks(void)
{
	return true;
}

void marker_text_lock(void)
{
	cpus_read_lock();
}

void marker_text_unlock(void)
{
	cpus_read_unlock();
}
#endif

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	return find_locks() ? marker_text_alias_map(alias, patches, n) : -EOPNOTSUPP;
}

void marker_text_quiesce(void)
{
	marker_text_unlock();
	marker_quiesce();
	marker_text_lock();
}

void marker_text_report(const struct marker_patch *patch)
{
	pr_err("%pS: found %*ph, expected %*ph%s\n", patch->addr, patch->len, patch->addr,
	       patch->len, patch->old,
	       *patch->addr == INT3_INSN_OPCODE ? ": a kprobe or breakpoint sits there" : "");
}
