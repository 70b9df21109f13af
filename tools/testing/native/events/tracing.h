/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the kernel that the trace events of markers (probes/event) use, in a program: a list
 * of events, listeners that keep records, and delayed work that runs when the program says so. The
 * Makefile makes a header linux/NAME.h that includes this one for each that these files include.
 */
#ifndef EVENTS_TRACING_H
#define EVENTS_TRACING_H

#include "env.h"
#include "requests.h"

/* linux/err.h, linux/slab.h, linux/mm.h, linux/module.h, linux/printk.h */

#define ERR_CAST(error)			((void *)(error))
#define PAGE_SHIFT			12
#define HZ				250
#define NR_SLAB_RECLAIMABLE_B		0
#define NR_SLAB_UNRECLAIMABLE_B		1
#define global_node_page_state_pages(item)	((unsigned long)(item))
#define jiffies_to_msecs(jiffies)	((jiffies) * 1000 / HZ)
#define pr_err_ratelimited		pr_err
#define offsetofend(type, member)	(offsetof(type, member) + sizeof(((type *)0)->member))
#define ALIGN(n, to)			(((n) + (to) - 1) & ~((typeof(n))(to) - 1))
#define atomic_inc_return(v)		__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_dec_and_test(v)		(!__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST))
#define try_module_get(module)		((void)(module), ++request_references > 0)
#define module_put(module)		((void)(module), (void)request_references--)

static inline char *kstrndup(const char *s, size_t length, gfp_t flags)
{
	char *copy = kmalloc(length + 1, flags);

	if (!copy)
		return NULL;
	copy[length] = '\0';
	return memcpy(copy, s, length);
}

static inline int vscnprintf(char *to, size_t size, const char *format, va_list args)
{
	size_t length = vsnprintf(to, size, format, args);

	return length < size ? length : size - 1;
}

#define hlist_empty(head)		(!(head)->first)
#define hash_for_each_safe(table, bucket, tmp, pos, member)		\
	for ((bucket) = 0; (bucket) < (int)ARRAY_SIZE(table); (bucket)++)	\
		for (pos = hlist_entry_safe((table)[bucket].first, typeof(*pos), member); \
		     pos && ({ tmp = pos->member.next; 1; });		\
		     pos = hlist_entry_safe(tmp, typeof(*pos), member))

/* linux/rcupdate.h, linux/percpu.h, linux/tracepoint.h */

#define rcu_is_watching()		true
#define rcu_dereference_raw(p)		READ_ONCE(p)
#define this_cpu_ptr(p)			(p)
#define __percpu
#define tracepoint_synchronize_unregister()	((void)0)

struct tracepoint_func {
	void *func, *data;
};

struct tracepoint {
	const char *name;
	struct tracepoint_func *funcs;
};

/* linux/preempt.h, linux/thread_info.h, linux/irqflags.h: a task that nothing interrupts */

#define IS_ENABLED(option)		0
#define __no_stack_protector		__attribute__((no_stack_protector))
#define preempt_count()			0
#define marker_migration_disabled()	0
#define raw_irqs_disabled()		false
#define TIF_NEED_RESCHED		3
#define TIF_NEED_RESCHED_LAZY		4
#define TRACE_FLAG_IRQS_OFF		1

struct thread_info {
	unsigned long flags;
};

static struct thread_info events_thread __maybe_unused;
#define current_thread_info()		(&events_thread)

/* linux/workqueue.h: the only work */

struct work_struct {
	void (*function)(struct work_struct *work);
};

struct delayed_work {
	struct work_struct work;
	bool pending;
};

extern struct delayed_work *events_work;
#define DECLARE_DELAYED_WORK(name, run)	struct delayed_work name = { .work.function = run }
#define cancel_delayed_work(delayed)	((void)((delayed)->pending = false))
#define cancel_delayed_work_sync	cancel_delayed_work
#define schedule_delayed_work(delayed, delay)				\
	((void)(delay), (void)((events_work = (delayed))->pending = true))

#include "seq.h"

/* linux/trace_events.h */

#define FILTER_OTHER			0
#define TRACE_EVENT_FL_TRACEPOINT	1
#define TRACE_EVENT_FL_DYNAMIC		2

enum trace_reg {
	TRACE_REG_REGISTER, TRACE_REG_UNREGISTER,
	TRACE_REG_PERF_REGISTER, TRACE_REG_PERF_UNREGISTER, TRACE_REG_OTHER,
};

struct trace_entry {
	unsigned short type;
	unsigned char flags, preempt_count;
	int pid;
};

struct trace_iterator {
	struct trace_entry *ent;
	int ent_size;
	struct trace_seq seq;
};

struct trace_event_call;
struct trace_event;

struct trace_event_functions {
	enum print_line_t (*trace)(struct trace_iterator *iter, int flags,
				   struct trace_event *event);
};

struct trace_event {
	int type;
	struct trace_event_functions *funcs;
};

struct trace_event_fields {
	const char *type;
	const char *name;
	const int size, align, is_signed, filter_type, len;
};

struct trace_event_class {
	const char *system;
	void *probe, *perf_probe;
	int (*reg)(struct trace_event_call *call, enum trace_reg what, void *data);
	struct trace_event_fields *fields_array;
	struct list_head *(*get_fields)(struct trace_event_call *call);
	struct list_head fields;
	int (*raw_init)(struct trace_event_call *call);
};

struct trace_event_call {
	struct list_head list;
	struct trace_event_class *class;
	union {
		const char *name;
		struct tracepoint *tp;
	};
	struct trace_event event;
	char *print_fmt;
	int flags;
	atomic_t refcnt;
	struct hlist_head *perf_events;
	struct trace_event_fields *kept;	/* copy of the fields; the last one has no type */
};

struct trace_event_file {
	struct list_head list;
	struct trace_event_call *event_call;
	unsigned long flags;
};

struct pt_regs {
	unsigned long ip;
};

struct trace_event_buffer {
	void *buffer, *event, *entry;
	struct trace_event_file *trace_file;
	struct pt_regs *regs;
	unsigned int trace_ctx;
};

#define EVENT_FILE_FL_SOFT_DISABLED	1
#define EVENT_FILE_FL_TRIGGER_MODE	2
#define EVENT_FILE_FL_TRIGGER_COND	4
#define EVENT_FILE_FL_PID_FILTER	8

#define perf_arch_fetch_caller_regs(regs, address)	((void)((regs)->ip = (address)))
#define trace_trigger_soft_disabled(file)	((void)(file), false)
#define bpf_prog_array_valid(call)	((void)(call), false)
#define ring_buffer_event_data(event)	(event)
void *trace_event_buffer_lock_reserve(void **buffer, struct trace_event_file *file, int type,
				      unsigned long size, unsigned int context);
void *trace_event_buffer_reserve(struct trace_event_buffer *buffer, struct trace_event_file *file,
				 unsigned long size);
void trace_event_buffer_commit(struct trace_event_buffer *buffer);
void *perf_trace_buf_alloc(int size, struct pt_regs **regs, int *context);
void perf_trace_run_bpf_submit(void *record, int size, int context, struct trace_event_call *call,
			       u64 count,
			       struct pt_regs *regs, struct hlist_head *head, void *task);
void perf_tp_event(u16 type, u64 count, void *record, int size, struct pt_regs *regs,
		   struct hlist_head *head,
		   int context, void *task);
int register_trace_event(struct trace_event *event);
void unregister_trace_event(struct trace_event *event);
int trace_add_event_call(struct trace_event_call *call);
int trace_remove_event_call(struct trace_event_call *call);
int trace_event_reg(struct trace_event_call *call, enum trace_reg what, void *data);
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *name);
#define trace_put_event_file(file)	((void)(file), (void)request_references--)

/* The program loads and unloads the probe. */
int events_load(void);
void events_unload(void);
#undef module_init
#undef module_exit
#define module_init(init)	int events_load(void) { return init(); }
#define module_exit(exit)	void events_unload(void) { exit(); }

#endif
