// SPDX-License-Identifier: GPL-2.0-only
/* The sites are in functions of a hundred, which compile sooner than one, or ten. */
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
	.leaf = true,
	.owner = THIS_MODULE,
};

#define SITE(n)		MARK(bulk_site, "%d", value);

#define SITES_FUNCTION(n)						\
static noinline void run_##n(int value)					\
{									\
	REPEAT_100(SITE, n)						\
}

#define SITES_FUNCTIONS(n)						\
	SITES_FUNCTION(n##0) SITES_FUNCTION(n##1)			\
	SITES_FUNCTION(n##2) SITES_FUNCTION(n##3)			\
	SITES_FUNCTION(n##4) SITES_FUNCTION(n##5)			\
	SITES_FUNCTION(n##6) SITES_FUNCTION(n##7)			\
	SITES_FUNCTION(n##8) SITES_FUNCTION(n##9)

SITES_FUNCTIONS(10)
SITES_FUNCTIONS(11)
SITES_FUNCTIONS(12)
SITES_FUNCTIONS(13)
SITES_FUNCTIONS(14)
SITES_FUNCTIONS(15)
SITES_FUNCTIONS(16)
SITES_FUNCTIONS(17)
SITES_FUNCTIONS(18)
SITES_FUNCTIONS(19)

#define RUN(n)		run_##n(n);

void marker_bulk_run_sites(void)
{
	REPEAT_100(RUN, 1)
}

unsigned long marker_bulk_count_events(void)
{
	long before = atomic_long_read(&events);

	marker_bulk_run_sites();
	return atomic_long_read(&events) - before;
}
