// SPDX-License-Identifier: GPL-2.0-only
/* Check which probes may be registered. */
#include "boundaries.h"
#include "command.h"
#include "connection.h"
#include "marker_probe.h"

/* Refuse names that a command could not use, and the name of another probe. */
void check_probes(const struct marker_probe *registered)
{
	const char *const names[] = { "", "a b", "a\tb", "a\nb", "a;b", "a#b", registered->name };
	struct marker_probe probe = { .func = registered->func };
	unsigned int i;
	int ret;

	check(marker_probe_register(&probe) == -EINVAL, "a probe without a name", "");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		probe.name = names[i];
		ret = marker_probe_register(&probe);
		check(ret == (names[i] == registered->name ? -EEXIST : -EINVAL), "a probe named",
		      strchr(names[i], '\n') ? "with a newline" : names[i]);
	}
	probe = (struct marker_probe){ .name = "another" };
	check(marker_probe_register(&probe) == -EINVAL, "a probe without a function", "");
	probe.func = registered->func;
	check(!marker_probe_register(&probe) && !marker_command_execute("connect edge_nop another"),
	      "one that has both is connected", "");
	marker_probe_unregister(&probe);
	check(list_empty(&marker_connections), "and is disconnected as it goes", "");
}
