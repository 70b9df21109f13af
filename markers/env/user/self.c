// SPDX-License-Identifier: GPL-2.0-only
/* Treats this program as a module with markers. */
#include <err.h>
#include "registry.h"
#include "self.h"
#include "text.h"

extern struct marker_site __marker_sites[], __marker_sites_end[];
extern struct marker_gate __marker_gates[], __marker_gates_end[];
extern struct marker_call __marker_calls[], __marker_calls_end[];
extern const struct marker_abi __marker_abi[], __marker_abi_end[];

static struct module self = { .name = "self" };

void self_register_sites(void)
{
	const struct marker_bounds bounds = {
		__marker_sites, __marker_sites_end, __marker_gates, __marker_gates_end,
		__marker_calls, __marker_calls_end, __marker_abi, __marker_abi_end,
	};
	int ret = marker_trap_init();

	if (ret)
		errx(1, "cannot patch the program's own text: %s", strerror(-ret));
	marker_registry_init();
	mutex_lock(&marker_mutex);
	ret = marker_registry_add_table(&self, &bounds, true);
	mutex_unlock(&marker_mutex);
	if (ret)
		errx(1, "the sites are not accepted: %s", strerror(-ret));
}
