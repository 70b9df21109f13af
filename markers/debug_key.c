// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static keys of debug sites, which dynamic debug switches, too.  A key is enabled while
 * its site has a probe or is printed; ddebug_lock of dynamic debug protects it.
 *
 * Dynamic debug disables the key of a site that is no longer printed.  So that no event is
 * lost, a kprobe at static_key_disable() makes the function return at once while the site has
 * a probe.
 *
 * Locks: marker_mutex.
 */
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include "debug_event.h"
#include "debug_key.h"
#include "debug_kprobe.h"
#include "debug_site.h"
#include "dispatch.h"
#include "kernel_data.h"

static struct mutex *ddebug_lock;
static unsigned int kept;		/* keys; the kprobe exists while > 0 */

static struct static_key *key_of(const struct marker_debug_site *site)
{
	return &site->descriptor->key.dd_key_true.key;
}

#ifdef CONFIG_KPROBES
static int notrace keep_key(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct static_key *key = (const void *)regs_get_kernel_argument(regs, 0);
	const struct marker_debug_site *site =
		marker_debug_site_of(container_of(key, struct _ddebug, key.dd_key_true.key));

	if (!site || !READ_ONCE(site->keeps_key))
		return 0;
	return marker_debug_kprobe_skip(regs);
}

NOKPROBE_SYMBOL(keep_key);

static struct kprobe at_disable;

static void watch(void)
{
	int ret;

	at_disable = (struct kprobe){
		.symbol_name = "static_key_disable",
		.pre_handler = keep_key,
		.post_handler = marker_debug_kprobe_no_jump,
	};
	ret = register_kprobe(&at_disable);
	if (ret)
		pr_warn("no kprobe at static_key_disable(): %pe; \"-p\" of dynamic debug stops debug sites, which `verify` then shows\n",
			ERR_PTR(ret));
	if (ret)
		at_disable.symbol_name = NULL;
}

static void unwatch(void)
{
	if (at_disable.symbol_name)
		unregister_kprobe(&at_disable);
}
#else
static void watch(void)
{
	pr_warn("no kprobes: \"-p\" of dynamic debug stops debug sites, which `verify` then shows\n");
}

static void unwatch(void)
{
}
#endif

static void lock(void)
{
	if (!ddebug_lock)
		ddebug_lock = marker_kernel_data("ddebug_lock");
	if (ddebug_lock)
		mutex_lock(ddebug_lock);
}

static void unlock(void)
{
	if (ddebug_lock)
		mutex_unlock(ddebug_lock);
}

static void keep(struct marker_debug_site *site, bool keeps)
{
	if (site->keeps_key == keeps)
		return;
	if (keeps && !kept++)
		watch();
	WRITE_ONCE(site->keeps_key, keeps);
	if (!keeps && !--kept)
		unwatch();
}

static void enable(struct marker_debug_site *site)
{
	lock();
	keep(site, true);
	static_key_enable(key_of(site));
	unlock();
}

static void disable(struct marker_debug_site *site)
{
	lock();
	keep(site, false);
	if (!(site->descriptor->flags & _DPRINTK_FLAGS_PRINT))
		static_key_disable(key_of(site));
	unlock();
}

static bool is_diverted(const struct marker_site_state *site)
{
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		if (!site->gates[i].gone && !site->gates[i].open)
			return false;
	return true;
}

void marker_debug_key_open(const struct marker_site_state *site)
{
	/* A site that is not diverted would print; try again when the foreign bytes are gone. */
	if (marker_site_is_debug(site) && is_diverted(site))
		enable(marker_debug_site_of_entry(site->entry));
}

void marker_debug_keys_close(const struct list_head *transaction)
{
	const struct marker_site_state *site;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(site, transaction, changed)
		if (marker_site_is_debug(site) && site->set && !site->next)
			disable(marker_debug_site_of_entry(site->entry));
}

void marker_debug_keys_undo(const struct list_head *transaction)
{
	const struct marker_site_state *site;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(site, transaction, changed)
		if (site->set)
			marker_debug_key_open(site);
}

void marker_debug_key_forget(struct marker_debug_site *site)
{
	keep(site, false);
}

bool marker_debug_key_is_wrong(const struct marker_site_state *site)
{
	return marker_site_is_debug(site) && site->set && is_diverted(site) &&
	       !static_key_enabled(key_of(marker_debug_site_of_entry(site->entry)));
}
