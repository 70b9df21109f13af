// SPDX-License-Identifier: GPL-2.0-only
/* Probes by name: they come and go with their modules. */
#include "connection.h"
#include "owner.h"
#include "probes.h"
#include "registry.h"

LIST_HEAD(registered_probes);

struct probe *probe_find(const char *name)
{
	struct probe *probe;

	list_for_each_entry(probe, &registered_probes, list)
		if (!strcmp(probe->name, name))
			return probe;
	return NULL;
}

int probe_register(struct probe *probe)
{
	int ret = 0;

	if (!probe->func || !probe->name || !*probe->name ||
	    strpbrk(probe->name, " \t\n;#"))
		return -EINVAL;
	mutex_lock(&markers_mutex);
	if (probe_find(probe->name))
		ret = -EEXIST;
	else
		list_add_tail(&probe->list, &registered_probes);
	mutex_unlock(&markers_mutex);
	return ret;
}
EXPORT_SYMBOL_GPL(probe_register);

int probe_disconnect(struct probe *probe)
{
	return connection_del_probe(probe);
}
EXPORT_SYMBOL_GPL(probe_disconnect);

void probe_unregister(struct probe *probe)
{
	/* From here on nobody finds it. */
	mutex_lock(&markers_mutex);
	list_del(&probe->list);
	mutex_unlock(&markers_mutex);
	connection_del_probe(probe);
}
EXPORT_SYMBOL_GPL(probe_unregister);

bool notrace marker_core_has(unsigned long ip)
{
	return owner_core_has((const void *)ip);
}
EXPORT_SYMBOL_GPL(marker_core_has);
