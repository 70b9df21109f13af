/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers of a site, for the stack of an event. */
#ifndef PROBES_ARCH_SITE_REGS_H
#define PROBES_ARCH_SITE_REGS_H

#include <linux/perf_event.h>
#include <linux/trace_events.h>

struct marker_site_regs {
	unsigned long ip;
};

/* The macro of arm64 works with an argument of this name only. */
static inline void marker_site_regs_set(struct pt_regs *regs, const struct marker_site_regs *site)
{
	memset(regs, 0, sizeof(*regs));
	perf_arch_fetch_caller_regs(regs, site->ip);
}

static inline void marker_site_regs_set_for_perf(struct pt_regs *regs,
						 const struct marker_site_regs *site)
{
	marker_site_regs_set(regs, site);
}

static __always_inline void marker_site_regs_get(struct marker_site_regs *regs, bool direct)
{
	regs->ip = (unsigned long)__builtin_return_address(0);
}

static inline void marker_site_commit(struct trace_event_buffer *buffer,
				      const struct marker_site_regs *regs)
{
	trace_event_buffer_commit(buffer);
}

#endif
