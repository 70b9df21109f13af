// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules come and go; those loaded before this one are looked for.
 *
 * Locks: none of its own.
 */
#include <linux/kobject.h>
#include <linux/module.h>
#include "intake.h"
#include "module.h"

static int notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_COMING)
		intake_add(mod, true);
	else if (state == MODULE_STATE_GOING)
		intake_del(mod);
	/* It may have been between its COMING and sysfs when this module was loaded. */
	else if (state == MODULE_STATE_LIVE && !intake_drop_init(mod))
		intake_add(mod, false);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = notify };

/*
 * The first module behind @after in /sys/module (NULL: of all), pinned, or
 * NULL; @after is still pinned.  The list of modules itself is not exported;
 * that of their kobjects is reachable.
 */
static struct module *next_loaded(struct module *after)
{
	struct kset *kset = THIS_MODULE->mkobj.kobj.kset;
	struct module *found = NULL;
	struct kobject *kobj;

	spin_lock(&kset->list_lock);
	kobj = after ? &after->mkobj.kobj : list_entry(&kset->list, struct kobject, entry);
	list_for_each_entry_continue(kobj, &kset->list, entry) {
		struct module *mod = container_of(kobj, struct module_kobject, kobj)->mod;

		if (mod && mod != THIS_MODULE && try_module_get(mod)) {
			found = mod;
			break;
		}
	}
	spin_unlock(&kset->list_lock);
	return found;
}

int modules_init(void)
{
	struct module *mod, *next;
	int ret;

	/* Then a module's symbols of data go when its init is over, and its tables with them. */
	if (!IS_ENABLED(CONFIG_KALLSYMS_ALL)) {
		pr_err("markers: built for a kernel without CONFIG_KALLSYMS_ALL, which hides the markers of loaded modules: not loaded\n");
		return -EOPNOTSUPP;
	}
	ret = register_module_notifier(&notifier);
	if (ret)
		return ret;
	for (mod = next_loaded(NULL); mod; mod = next) {
		intake_add(mod, false);
		next = next_loaded(mod);
		module_put(mod);
	}
	return 0;
}

void modules_exit(void)
{
	unregister_module_notifier(&notifier);
	intake_del_all();
}
