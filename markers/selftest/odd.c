// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_odd.ko: unusual markers: hard to show, without RCU watching, without code, and one
 * that marker_types.ko has with other arguments, because both have one system.
 *
 *	echo N > /sys/module/marker_odd/parameters/fire	runs each N times
 */
#define MARK_SYSTEM marker_types

#include <linux/context_tracking.h>
#include <linux/module.h>
#include "fire.h"
#include "marker.h"
#include "marker_variants.h"

/* Fire without RCU watching, as the idle task may do. */
static noinline void fire_unwatched(void)
{
	unsigned long flags;

	local_irq_save(flags);
	ct_idle_enter();
	MARK(odd_unwatched, "%pS", fire_unwatched);
	ct_idle_exit();
	local_irq_restore(flags);
}

static noinline void fire_all(int value)
{
	MARK(odd_format, "a\tb\nc\rd\\e\001f\177g\303\251 number=%d", value);
	MARK(odd_text, "number=%s", "text");
	MARK(odd_number, "other=%d number=%d", value, value);
	MARK(types_ints, "only=%d", value);
	fire_unwatched();
	/* The compiler drops these sites, and keeps their descriptions. */
	if (IS_ENABLED(CONFIG_NOT_IN_ANY_KERNEL)) {
		MARK(odd_gone, "%d", value);
		MARK_NOP5(odd_gone_nop5, "%d", value);
		MARK_IMM(odd_gone_imm, "%d", value);
		MARK_KPROBE(odd_gone_kprobe, "%d", value);
		MARK_GENERIC(odd_gone_generic, "%d", value);
	}
}

MODULE_DESCRIPTION("markers that are hard to show, for the tests of markers.ko");
MODULE_LICENSE("GPL");
