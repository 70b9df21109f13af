// SPDX-License-Identifier: GPL-2.0-only
/* A CPU that comes up while a session records. */
#include "packets.h"

extern struct cpumask marker_ctf_session_cpus;

/* A CPU that comes up has no memory at first: all of its events are lost, and counted. */
void check_new_cpu(void)
{
	unsigned int n = 0, tries = 0, of_new = 0;
	long allocated;
	struct counts now;

	recorder_unload();
	allocated = request_allocated;
	recorder_online = 1;
	/* The CPUs are new, as in a module that is loaded. */
	marker_ctf_session_cpus = (struct cpumask){ };
	must(recorder_load(), "load");
	set_up("size=16K mode=overwrite addresses=hashed");
	command("connect of_numbers ctf");
	forget(false);
	do {
		request_number = 0;
		request_refused = tries++;
		if (tries > 1)
			recorder_prepare_cpu(1);
		request_refused = 0;
		if (tries > 1 && request_number < tries - 1)
			break;
		for (recorder_cpu = 0; recorder_cpu < 2; recorder_cpu++, n++)
			fire(n);
		of_new++;
		read_file("ctf/snapshot", 16, 0);
		if (counts().lost != of_new)
			wrong("an event is stored without memory");
	} while (tries < 100);
	for (recorder_cpu = 0; recorder_cpu < 2; recorder_cpu++, n++)
		fire(n);
	recorder_cpu = 0;
	read_file("ctf/snapshot", 16, 0);
	now = counts();
	check(tries > 5 && !seen.wrong, "a CPU comes up, and %u requests are refused: %s",
	      tries - 2,
	      seen.wrong ?: "");
	check(now.lost == of_new && now.recorded == n - of_new && seen.events == now.recorded,
	      "its events are lost until there is memory");
	end_session();
	recorder_unload();
	check(request_allocated == allocated, "nothing is left allocated");
	recorder_online = RECORDER_CPUS;
	must(recorder_load(), "load");
}
