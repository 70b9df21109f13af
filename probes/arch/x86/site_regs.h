/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers of a site, and its stack, for the stack of an event. */
#ifndef PROBES_ARCH_SITE_REGS_H
#define PROBES_ARCH_SITE_REGS_H

#include <linux/sched.h>
#include <linux/trace_events.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/segment.h>
#include <asm/unwind.h>
#include "marker_probe.h"

struct marker_site_regs {
	unsigned long ip, sp, bp;
};

/* Set the registers that the unwinder needs to find the first frame; the others are unknown. */
static inline void marker_site_regs_set(struct pt_regs *to, const struct marker_site_regs *regs)
{
	to->ip = regs->ip;
	to->sp = regs->sp;
	to->bp = regs->bp;
	to->cs = __KERNEL_CS;
}

/* Make perf take the registers for those of an interrupt, at which a stack begins. */
static inline void marker_site_regs_set_for_perf(struct pt_regs *to,
						 const struct marker_site_regs *regs)
{
	marker_site_regs_set(to, regs);
	to->flags = X86_EFLAGS_FIXED;
}

#ifdef CONFIG_UNWINDER_ORC
/* Past the functions of markers.ko that stand before a probe; else it stays. */
static noinline notrace void marker_site_regs_unwind(struct marker_site_regs *regs)
{
	struct unwind_state state;
	struct pt_regs from = { };

	marker_site_regs_set(&from, regs);
	for (unwind_start(&state, current, &from, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		if (marker_core_has(state.ip))
			continue;
		*regs = (struct marker_site_regs){ state.ip, state.sp, state.bp };
		return;
	}
}

/* event_triggers_call() and event_triggers_post_call() as if the site called them: at_site.S. */
enum event_trigger_type marker_site_triggers_call(struct trace_event_file *file,
						  struct trace_buffer *buffer, void *record,
						  struct ring_buffer_event *event,
						  const struct marker_site_regs *regs);
void marker_site_triggers_post_call(struct trace_event_file *file, enum event_trigger_type post,
				    const struct marker_site_regs *regs);

/* The kernel gets a copy of the file without triggers, which were called. */
static noinline notrace void marker_site_commit_triggers(struct trace_event_buffer *buffer,
							 const struct marker_site_regs *regs)
{
	struct trace_event_file *file = buffer->trace_file, without;
	enum event_trigger_type post;

	post = marker_site_triggers_call(file, buffer->buffer, buffer->entry, buffer->event, regs);
	without = *file;
	without.flags &= ~EVENT_FILE_FL_TRIGGER_COND;
	buffer->trace_file = &without;
	trace_event_buffer_commit(buffer);
	if (post)
		marker_site_triggers_post_call(file, post, regs);
}

static inline void marker_site_commit(struct trace_event_buffer *buffer,
				      const struct marker_site_regs *regs)
{
	if (unlikely(buffer->trace_file->flags & EVENT_FILE_FL_TRIGGER_COND))
		marker_site_commit_triggers(buffer, regs);
	else
		trace_event_buffer_commit(buffer);
}
#else
static inline void marker_site_commit(struct trace_event_buffer *buffer,
				      const struct marker_site_regs *regs)
{
	trace_event_buffer_commit(buffer);
}

static inline void marker_site_regs_unwind(struct marker_site_regs *regs)
{
}
#endif

/*
 * Get the registers of the caller of the function that this is inlined into; @direct: the site
 * is in that caller.  The frame of the function holds the caller's %rbp and the return address,
 * and the memory above it is the caller's as long as the function does not align its stack.
 */
static __always_inline void marker_site_regs_get(struct marker_site_regs *regs, bool direct)
{
	const unsigned long *frame = __builtin_frame_address(0);

	regs->bp = frame[0];
	regs->ip = frame[1];
	regs->sp = (unsigned long)(frame + 2);
	if (!direct)
		marker_site_regs_unwind(regs);
}

#endif
