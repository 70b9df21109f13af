// SPDX-License-Identifier: GPL-2.0-only
/* The sites are in functions of a thousand, which compile sooner than one. */
#include "bulk_sites.h"
#include "marker.h"
#include "marker_probe.h"
#include "repeat.h"

static atomic_long_t events;

static void notrace tally(MARKER_PARAMS)
{
	atomic_long_inc(&events);
}

struct marker_probe marker_bulk_probe = {
	.name = "tally",
	.func = tally,
	.owner = THIS_MODULE,
};

#define SITE(n)		MARK(bulk_site, "%d", value);

#define SITES_FUNCTION(n)						\
static noinline void run_##n(int value)					\
{									\
	REPEAT_1000(SITE, n)						\
}

SITES_FUNCTION(10)
SITES_FUNCTION(11)
SITES_FUNCTION(12)
SITES_FUNCTION(13)
SITES_FUNCTION(14)
SITES_FUNCTION(15)
SITES_FUNCTION(16)
SITES_FUNCTION(17)
SITES_FUNCTION(18)
SITES_FUNCTION(19)

void marker_bulk_run_sites(void)
{
	run_10(0);
	run_11(1);
	run_12(2);
	run_13(3);
	run_14(4);
	run_15(5);
	run_16(6);
	run_17(7);
	run_18(8);
	run_19(9);
}

unsigned long marker_bulk_count_events(void)
{
	long before = atomic_long_read(&events);

	marker_bulk_run_sites();
	return atomic_long_read(&events) - before;
}
