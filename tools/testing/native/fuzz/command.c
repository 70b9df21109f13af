// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands, and events of the sites that they connect. After each input everything is
 * disconnected, and the gates are as they were.
 */
#include <err.h>
#include "command.h"
#include "connect.h"
#include "fuzz.h"
#include "fuzz_sites.h"
#include "marker_probe.h"
#include "registry.h"
#include "self.h"

static unsigned int events;

static void notrace count(MARKER_PARAMS)
{
	events++;
}

static struct marker_probe probe = { .name = "p", .func = count, .leaf = true };
static struct marker_probe other = { .name = "q", .func = count, .leaf = true };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_mute();
	self_register_sites();
	if (marker_probe_register(&probe) || marker_probe_register(&other))
		errx(2, "the probes cannot be registered");
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = fuzz_text(data, size);
	int ret = marker_command_execute(text), left;

	fuzz_sites_fire();
	left = marker_command_execute("disconnect *");
	fuzz_expect(ret <= 0 && ret > -4096);
	fuzz_expect(!left || left == -ENOENT);
	events = 0;
	fuzz_sites_fire();
	fuzz_expect(!events);
	free(text);
	return 0;
}
