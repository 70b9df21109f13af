// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that sites call: each writes one event to the listeners of its trace event.
 *
 * marker_event_write() serves all events. Sites with the usual arguments have a function of their
 * own, whose stores are known when it is compiled, for the usual case: ftrace or perf is the only
 * listener, and has no triggers and no programs. Otherwise that function ends with a jump to one
 * for all cases, which finds the stack as the site's call has left it.
 *
 * Context: as at the site. Preemption is off while the listeners are walked, as it is in
 * tracepoints, for tracepoint_synchronize_unregister().
 */
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include "compat.h"
#include "fetch.h"
#include "site_regs.h"
#include "write.h"

void marker_event_of_ftrace(void)
{
}

void marker_event_of_perf(void)
{
}

/* Flags of a file of ftrace that ask for more than to store the event. */
#define MORE_THAN_STORED	(EVENT_FILE_FL_SOFT_DISABLED | EVENT_FILE_FL_TRIGGER_MODE |	\
				 EVENT_FILE_FL_TRIGGER_COND | EVENT_FILE_FL_PID_FILTER)

/* Bits of how deep preemption, and migration, are disabled in the context of a record. */
#define CONTEXT_BITS		4
#define CONTEXT_MAX		(BIT(CONTEXT_BITS) - 1)

/* Bits of a task's flags that ask for another task. */
#define NEED_RESCHED		(BIT(TIF_NEED_RESCHED) | BIT(TIF_NEED_RESCHED_LAZY))

/*
 * True if the kernel's tracing_gen_ctx_dec() would return what plain_context() returns: not in an
 * interrupt, nor while another task is asked for, nor in a kernel with PREEMPT_RT, which adds to
 * it.
 */
static __always_inline bool is_plain(unsigned int depth, unsigned int pinned)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && (depth | pinned) <= CONTEXT_MAX &&
	       !(current_thread_info()->flags & NEED_RESCHED);
}

static __always_inline unsigned int plain_context(unsigned int depth, unsigned int pinned)
{
	unsigned int context = pinned << CONTEXT_BITS | depth;

	if (IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT) && raw_irqs_disabled()) {
		context |= TRACE_FLAG_IRQS_OFF << 16;
		/* A branch takes fewer instructions than a conditional move. */
		OPTIMIZER_HIDE_VAR(context);
	}
	return context;
}

/*
 * Reserve room for a record in the buffer of ftrace, as trace_event_buffer_reserve() does. False:
 * the record is not to be stored. @file: it selects no tasks.
 */
static __always_inline bool reserve(struct trace_event_buffer *buffer,
				    struct trace_event_file *file,
				    const struct marker_event *event, unsigned long size)
{
	/* As in tracing_gen_ctx_dec(), the caller's preempt_disable() does not count. */
	unsigned int depth = preempt_count() - IS_ENABLED(CONFIG_PREEMPTION);
	unsigned int pinned = marker_migration_disabled(), context;

	if (unlikely(!is_plain(depth, pinned)))
		return trace_event_buffer_reserve(buffer, file, size);
	context = plain_context(depth, pinned);
	buffer->trace_ctx = context;
	buffer->trace_file = file;
	buffer->event = trace_event_buffer_lock_reserve(&buffer->buffer, file,
							event->call.event.type, size, context);
	if (!buffer->event)
		return false;
	buffer->entry = ring_buffer_event_data(buffer->event);
	return true;
}

/* perf puts 4 bytes in front, and wants the sum a multiple of 8. */
static __always_inline unsigned int perf_size(unsigned int size)
{
	return ALIGN(size + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

static __always_inline void to_ftrace(struct trace_event_file *file, struct marker_event *event,
				      const struct marker_site *site, const unsigned long *args,
				      const struct marker_site_regs *regs)
{
	struct trace_event_buffer buffer MARKER_NOT_CLEARED;
	struct marker_event_record_texts texts MARKER_NOT_CLEARED;
	struct pt_regs pt_regs MARKER_NOT_CLEARED;
	unsigned int size;

	if (trace_trigger_soft_disabled(file))
		return;
	marker_event_record_measure(event->type, args, &texts);
	size = marker_event_record_bytes(event->type, &texts);
	if (file->flags & EVENT_FILE_FL_PID_FILTER ?
	    !trace_event_buffer_reserve(&buffer, file, size) :
	    !reserve(&buffer, file, event, size))
		return;
	marker_event_record_fill(event->type, buffer.entry, site, args, &texts);
	marker_site_regs_set(&pt_regs, regs);
	buffer.regs = &pt_regs;
	marker_site_commit(&buffer, regs);
}

/* Apart: its call with eight arguments would have marker_event_write() align its stack. */
static noinline void notrace to_perf(struct trace_event_call *call, struct marker_event *event,
				     const struct marker_site *site, const unsigned long *args,
				     const struct marker_site_regs *regs)
{
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	struct marker_event_record_texts texts MARKER_NOT_CLEARED;
	struct pt_regs *pt_regs;
	struct marker_event_record *record;
	int size, context;

	if (!bpf_prog_array_valid(call) && hlist_empty(head))
		return;
	marker_event_record_measure(event->type, args, &texts);
	size = perf_size(event->type->size + texts.sum);
	record = perf_trace_buf_alloc(size, &pt_regs, &context);
	if (!record)
		return;
	marker_site_regs_set_for_perf(pt_regs, regs);
	marker_event_record_fill(event->type, record, site, args, &texts);
	perf_trace_run_bpf_submit(record, size, context, call, 1, pt_regs, head, NULL);
}

/*
 * Write an event to all listeners, in one frame with to_ftrace(), as the triggers of ftrace count
 * on it, where at_site.S is not. @direct: the caller has the site.
 */
static __always_inline void write_any(struct marker_event *event, const struct marker_site *site,
				      const unsigned long *args, bool direct)
{
	struct tracepoint_func *listener;
	struct marker_site_regs regs MARKER_NOT_CLEARED;

	preempt_disable_notrace();
	listener = rcu_is_watching() ? rcu_dereference_raw(event->tp.funcs) : NULL;
	if (listener && listener->func)
		marker_site_regs_get(&regs, direct);
	for (; listener && listener->func; listener++) {
		if (listener->func == marker_event_of_ftrace)
			to_ftrace(listener->data, event, site, args, &regs);
		else if (listener->func == marker_event_of_perf)
			to_perf(listener->data, event, site, args, &regs);
	}
	preempt_enable_notrace();
}

noinline void notrace marker_event_write(MARKER_PARAMS)
{
	unsigned long args[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;

	marker_words_given(args, site, a, b, c, d);
	write_any(link->data, site, args, link == READ_ONCE(site->link));
}

/* The same, called by a jump from a function that the site has called, for as many arguments. */
static noinline void notrace write_direct(struct marker_event *event,
					  const struct marker_site *site, unsigned long a,
					  unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long args[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;

	marker_words_given(args, site, a, b, c, d);
	write_any(event, site, args, true);
}

/* True if ftrace, by @file, is the only listener, and only stores the events. */
static __always_inline bool is_stored(const struct tracepoint_func *listener)
{
	const struct trace_event_file *file = listener->data;

	return listener->func == marker_event_of_ftrace && !(file->flags & MORE_THAN_STORED);
}

/* True if perf is the only listener, without a program. */
static __always_inline bool is_sampled(const struct tracepoint_func *listener)
{
	return listener->func == marker_event_of_perf && !bpf_prog_array_valid(listener->data);
}

/* Get the registers of the site that has called the function that this is inlined into. */
static __always_inline struct marker_site_regs get_regs(void)
{
	struct marker_site_regs regs MARKER_NOT_CLEARED;

	marker_site_regs_get(&regs, true);
	return regs;
}

/* Zero what follows the kernel's part of a record: the bytes that align fields, too. */
static __always_inline void clear(void *record, size_t size)
{
	const size_t start = offsetof(struct marker_event_record, line);

	memset(record + start, 0, size - start);
}

/* Store the line, and with it zero in the two bytes behind. */
static __always_inline void set_line(struct marker_event_record *record, u32 line)
{
	*(u32 *)&record->line = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? line << 16 : line;
}

/*
 * A record whose arguments have these sizes, and the function that writes it; their fields follow
 * each other as record.c lays them out. That function has no array on its stack to protect. The
 * site is read before the record is written: the compiler cannot know that one is not in the other.
 */
#define WRITER(sizes, n, fields, stores)					\
struct record_##sizes {							\
	struct marker_event_record head;				\
	fields								\
} __aligned(sizeof(u64));						\
									\
static __always_inline void ftrace_##sizes(struct trace_event_file *file, PARAMETERS_##n) \
{									\
	struct trace_event_buffer buffer MARKER_NOT_CLEARED;		\
	struct marker_site_regs site_regs MARKER_NOT_CLEARED;		\
	struct pt_regs regs MARKER_NOT_CLEARED;				\
	struct record_##sizes *record;					\
	u32 line = site->line;						\
									\
	if (!reserve(&buffer, file, event, sizeof(*record))) \
		return;							\
	record = buffer.entry;						\
	clear(record, sizeof(*record));					\
	set_line(&record->head, line);					\
	stores								\
	site_regs = get_regs();						\
	marker_site_regs_set(&regs, &site_regs);			\
	buffer.regs = &regs;						\
	trace_event_buffer_commit(&buffer);				\
}									\
									\
static __always_inline void perf_##sizes(struct trace_event_call *call, PARAMETERS_##n) \
{									\
	struct hlist_head *head = this_cpu_ptr(call->perf_events);	\
	const int size = perf_size(sizeof(struct record_##sizes));	\
	struct pt_regs *regs MARKER_NOT_CLEARED;			\
	int context MARKER_NOT_CLEARED;					\
	struct marker_site_regs site_regs MARKER_NOT_CLEARED;		\
	struct record_##sizes *record;					\
	u32 line = site->line;						\
									\
	if (hlist_empty(head))						\
		return;							\
	record = perf_trace_buf_alloc(size, &regs, &context);		\
	if (!record)							\
		return;							\
	site_regs = get_regs();						\
	marker_site_regs_set_for_perf(regs, &site_regs);		\
	clear(record, sizeof(*record));					\
	set_line(&record->head, line);					\
	stores								\
	perf_tp_event(call->event.type, 1, record, size, regs, head, context, NULL); \
}									\
									\
static void notrace __no_stack_protector write_##sizes(MARKER_PARAMS)	\
{									\
	struct marker_event *event = link->data;			\
	const struct tracepoint_func *listener;				\
									\
	if (unlikely(link != READ_ONCE(site->link))) {			\
		marker_event_write(link, site, WORDS_##n);		\
		return;							\
	}								\
	preempt_disable_notrace();					\
	listener = rcu_is_watching() ? rcu_dereference_raw(event->tp.funcs) : NULL; \
	if (unlikely(!listener || listener[1].func))			\
		goto any;						\
	if (likely(is_stored(listener)))				\
		ftrace_##sizes(listener->data, ARGUMENTS_##n);		\
	else if (is_sampled(listener))					\
		perf_##sizes(listener->data, ARGUMENTS_##n);		\
	else								\
		goto any;						\
	preempt_enable_notrace();					\
	return;								\
any:									\
	preempt_enable_notrace();					\
	write_direct(event, site, WORDS_##n);				\
}

#define PARAMETERS_0	struct marker_event *event, const struct marker_site *site
#define PARAMETERS_1	PARAMETERS_0, unsigned long a
#define PARAMETERS_2	PARAMETERS_1, unsigned long b
#define PARAMETERS_3	PARAMETERS_2, unsigned long c
#define PARAMETERS_4	PARAMETERS_3, unsigned long d
#define ARGUMENTS_0	event, site
#define ARGUMENTS_1	ARGUMENTS_0, a
#define ARGUMENTS_2	ARGUMENTS_1, b
#define ARGUMENTS_3	ARGUMENTS_2, c
#define ARGUMENTS_4	ARGUMENTS_3, d
#define WORDS_0		0, 0, 0, 0
#define WORDS_1		a, 0, 0, 0
#define WORDS_2		a, b, 0, 0
#define WORDS_3		a, b, c, 0
#define WORDS_4		a, b, c, d

WRITER(0, 0, , )
WRITER(4, 1, u32 a;, record->a = a;)
WRITER(8, 1, u64 a;, record->a = a;)
WRITER(44, 2, u32 a; u32 b;, record->a = a; record->b = b;)
WRITER(48, 2, u32 a; u64 b;, record->a = a; record->b = b;)
WRITER(84, 2, u64 a; u32 b;, record->a = a; record->b = b;)
WRITER(88, 2, u64 a; u64 b;, record->a = a; record->b = b;)
WRITER(444, 3, u32 a; u32 b; u32 c;, record->a = a; record->b = b; record->c = c;)
WRITER(888, 3, u64 a; u64 b; u64 c;, record->a = a; record->b = b; record->c = c;)
WRITER(8888, 4, u64 a; u64 b; u64 c; u64 d;,
	record->a = a; record->b = b; record->c = c; record->d = d;)

/* The functions by the sizes of the arguments as decimal digits, the first argument's first. */
static const struct {
	unsigned int sizes;
	marker_fn *func;
} made[] = {
	{ 0, write_0 }, { 4, write_4 }, { 8, write_8 }, { 44, write_44 }, { 48, write_48 },
	{ 84, write_84 }, { 88, write_88 }, { 444, write_444 }, { 888, write_888 },
	{ 8888, write_8888 },
};

marker_fn *marker_event_write_find(const struct marker_event *event)
{
	const struct marker_event_record_type *type = event->type;
	unsigned int i, sizes = 0;

	for (i = 0; i < type->format.plan.nargs; i++)
		sizes = sizes * 10 + type->size_of[i];
	for (i = 0; type->has_words_only && i < ARRAY_SIZE(made); i++)
		if (made[i].sizes == sizes)
			return made[i].func;
	return marker_event_write;
}
