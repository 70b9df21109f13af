// SPDX-License-Identifier: GPL-2.0-only
/* Probes by name: they come and go with their modules. */
#include "connect.h"
#include "owner.h"
#include "probe.h"
#include "registry.h"

LIST_HEAD(marker_probes);

struct marker_probe *marker_probe_find(const char *name)
{
	struct marker_probe *probe;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(probe, &marker_probes, list)
		if (!strcmp(probe->name, name))
			return probe;
	return NULL;
}

int marker_probe_register(struct marker_probe *probe)
{
	int ret = 0;

	if (!probe->func || !probe->name || !*probe->name || strpbrk(probe->name, " \t\n;#"))
		return -EINVAL;
	mutex_lock(&marker_mutex);
	if (marker_probe_find(probe->name))
		ret = -EEXIST;
	else
		list_add_tail(&probe->list, &marker_probes);
	mutex_unlock(&marker_mutex);
	return ret;
}
EXPORT_SYMBOL_GPL(marker_probe_register);

void marker_probe_settle_all(void)
{
	struct marker_probe *probe;

	mutex_lock(&marker_mutex);
	list_for_each_entry(probe, &marker_probes, list) {
		if (!probe->settle || !try_module_get(probe->owner))
			continue;
		/* The probe stays listed while its module is pinned. */
		mutex_unlock(&marker_mutex);
		probe->settle();
		mutex_lock(&marker_mutex);
		module_put(probe->owner);
	}
	mutex_unlock(&marker_mutex);
}

int marker_probe_disconnect(struct marker_probe *probe)
{
	return marker_disconnect_probe(probe);
}
EXPORT_SYMBOL_GPL(marker_probe_disconnect);

int marker_probe_disconnect_if(struct marker_probe *probe,
			       bool (*ends)(const void *data, const void *what), const void *what)
{
	return marker_disconnect_if(probe, ends, what);
}
EXPORT_SYMBOL_GPL(marker_probe_disconnect_if);

void marker_probe_unregister(struct marker_probe *probe)
{
	/* Remove the probe, so that no command finds it any more. */
	mutex_lock(&marker_mutex);
	list_del(&probe->list);
	mutex_unlock(&marker_mutex);
	marker_disconnect_probe(probe);
}
EXPORT_SYMBOL_GPL(marker_probe_unregister);

bool notrace marker_core_has(unsigned long ip)
{
	return marker_owner_core_has((const void *)ip);
}
EXPORT_SYMBOL_GPL(marker_core_has);
