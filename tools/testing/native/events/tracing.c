// SPDX-License-Identifier: GPL-2.0-only
/* The kernel around the trace events of markers, in a program. */
#include "events.h"
#include "event/mutex.h"
#include "event/open.h"

struct delayed_work *events_work;
LIST_HEAD(events_known);
bool events_are_open, events_are_busy, events_have_no_number;

/* Each kind of record has a number, counted from 1, and a function that prints it. */
static struct trace_event *numbers[64];
static struct hlist_node listener_of_perf;
static struct hlist_head listeners_of_perf = { &listener_of_perf };
static struct pt_regs regs_of_perf;
static u8 memory[8192];
static struct trace_event_file mutex_file;

/* A file of ftrace for each event. */
struct file {
	struct trace_event_file file;
	bool enabled, enabled_by_perf;
};

static struct file files[64];

/* The file of an event, or one that none has. */
static struct file *find_file(const struct trace_event_call *call)
{
	struct file *file = files;

	while (file < files + ARRAY_SIZE(files) && file->file.event_call != call)
		file++;
	if (file == files + ARRAY_SIZE(files))
		abort();
	return file;
}

void trace_seq_printf(struct trace_seq *seq, const char *format, ...)
{
	char *to;
	size_t room = seq_buf_get_buf(&seq->seq, &to), length;
	va_list args;

	va_start(args, format);
	length = vsnprintf(to, room, format, args);
	va_end(args);
	if (length < room)
		seq_buf_commit(&seq->seq, length);
	else
		seq_buf_set_overflow(&seq->seq);
}

int register_trace_event(struct trace_event *event)
{
	unsigned int i;

	events_have_no_number |= request_is_refused();
	if (events_have_no_number)
		return 0;
	for (i = 1; i < ARRAY_SIZE(numbers); i++) {
		if (numbers[i])
			continue;
		numbers[i] = event;
		request_references++;
		return event->type = i;
	}
	return 0;
}

void unregister_trace_event(struct trace_event *event)
{
	request_references -= numbers[event->type] == event;
	numbers[event->type] = NULL;
}

struct trace_event *events_of_number(unsigned int number)
{
	return number < ARRAY_SIZE(numbers) ? numbers[number] : NULL;
}

unsigned int events_numbers(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		n += !!numbers[i];
	return n;
}

static void *reserve(struct trace_event_call *call, size_t size)
{
	struct trace_entry *entry = (struct trace_entry *)memory;

	if (size > sizeof(memory))
		return NULL;
	memset(memory, EVENTS_PAST, sizeof(memory));
	*entry = (struct trace_entry){ .type = call->event.type, .pid = 7 };
	return entry;
}

/* The ring buffer shows whole words of 4 bytes. */
static size_t size_of_ftrace;

void *trace_event_buffer_lock_reserve(void **buffer, struct trace_event_file *file, int type,
				      unsigned long size, unsigned int context)
{
	size_of_ftrace = ALIGN(size, sizeof(u32));
	return type == file->event_call->event.type ? reserve(file->event_call, size) : NULL;
}

void *trace_event_buffer_reserve(struct trace_event_buffer *buffer, struct trace_event_file *file,
				 unsigned long size)
{
	buffer->trace_file = file;
	buffer->entry = trace_event_buffer_lock_reserve(&buffer->buffer, file,
							file->event_call->event.type,
							size, 0);
	return buffer->entry;
}

void trace_event_buffer_commit(struct trace_event_buffer *buffer)
{
	events_see(buffer->trace_file->event_call, memory, size_of_ftrace, false);
}

/* The kernel makes the last 8 bytes 0. */
void *perf_trace_buf_alloc(int size, struct pt_regs **regs, int *context)
{
	u8 *record;

	if ((size + sizeof(u32)) % sizeof(u64))
		return NULL;
	record = reserve((struct trace_event_call *)container_of(events_known.next,
								 struct trace_event_call, list),
			 size);
	memset(record + size - sizeof(u64), 0, sizeof(u64));
	*regs = &regs_of_perf;
	*context = 0;
	return record;
}

void perf_trace_run_bpf_submit(void *record, int size, int context, struct trace_event_call *call,
			       u64 count,
			       struct pt_regs *regs, struct hlist_head *head, void *task)
{
	((struct trace_entry *)record)->type = call->event.type;
	events_see(call, record, size, true);
}

void perf_tp_event(u16 type, u64 count, void *record, int size, struct pt_regs *regs,
		   struct hlist_head *head,
		   int context, void *task)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &events_known, list)
		if (call->event.type == type) {
			perf_trace_run_bpf_submit(record, size, context, call, count, regs, head,
						  task);
			return;
		}
	abort();
}

static struct trace_event_fields *copy_fields(const struct trace_event_fields *from)
{
	unsigned int n;

	for (n = 0; from[n].type; n++)
		;
	return kmemdup(from, (n + 1) * sizeof(*from), GFP_KERNEL);
}

static void define_fields(struct trace_event_call *call)
{
	if (!call->kept)
		call->kept = copy_fields(call->class->fields_array);
}

void events_new_instance(void)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &events_known, list)
		define_fields(call);
}

int trace_add_event_call(struct trace_event_call *call)
{
	int ret;

	if (request_is_refused())
		return -ENOMEM;
	ret = call->class->raw_init(call);
	if (ret)
		return ret;
	/* The kernel does not look whether there was memory for them. */
	define_fields(call);
	list_add_tail(&call->list, &events_known);
	find_file(NULL)->file.event_call = call;
	call->perf_events = &listeners_of_perf;
	request_references++;
	return 0;
}

int trace_remove_event_call(struct trace_event_call *call)
{
	if (call->tp->funcs || atomic_read(&call->refcnt) || events_are_busy)
		return -EBUSY;
	list_del(&call->list);
	*find_file(call) = (struct file){ };
	kfree(call->kept);
	request_references--;
	return 0;
}

struct trace_event_call *events_find(const char *system, const char *name)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &events_known, list)
		if (!strcmp(call->class->system, system) && !strcmp(call->tp->name, name))
			return call;
	return NULL;
}

struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *name)
{
	if (!events_find(system, name))
		return ERR_PTR(-EINVAL);
	request_references++;
	return &mutex_file;
}

/* As tracepoint_probe_register(): the listeners are an array that ends with 0. */
static int add_listener(struct tracepoint *tp, void *func, void *data)
{
	struct tracepoint_func *funcs;
	unsigned int n = 0;

	while (tp->funcs && tp->funcs[n].func)
		n++;
	funcs = kcalloc(n + 2, sizeof(*funcs), GFP_KERNEL);
	if (!funcs)
		return -ENOMEM;
	if (n)
		memcpy(funcs, tp->funcs, n * sizeof(*funcs));
	funcs[n] = (struct tracepoint_func){ func, data };
	kfree(tp->funcs);
	tp->funcs = funcs;
	return 0;
}

static void del_listener(struct tracepoint *tp, void *func)
{
	unsigned int i, n = 0;

	for (i = 0; tp->funcs[i].func; i++)
		if (tp->funcs[i].func != func)
			tp->funcs[n++] = tp->funcs[i];
	tp->funcs[n] = (struct tracepoint_func){ };
	if (n)
		return;
	kfree(tp->funcs);
	tp->funcs = NULL;
}

int trace_event_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	switch (what) {
	case TRACE_REG_REGISTER:
		return add_listener(call->tp, call->class->probe, data);
	case TRACE_REG_PERF_REGISTER:
		return add_listener(call->tp, call->class->perf_probe, call);
	case TRACE_REG_UNREGISTER:
		del_listener(call->tp, call->class->probe);
		return 0;
	case TRACE_REG_PERF_UNREGISTER:
		del_listener(call->tp, call->class->perf_probe);
		return 0;
	default:
		return 0;
	}
}

int events_enable(struct trace_event_call *call, bool perf)
{
	struct file *file = find_file(call);
	int ret = call->class->reg(call, perf ? TRACE_REG_PERF_REGISTER : TRACE_REG_REGISTER,
				   &file->file);

	if (!ret && perf)
		file->enabled_by_perf = true;
	else if (!ret)
		file->enabled = true;
	return ret;
}

void events_disable(struct trace_event_call *call, bool perf)
{
	struct file *file = find_file(call);
	bool *enabled = perf ? &file->enabled_by_perf : &file->enabled;

	if (*enabled)
		call->class->reg(call, perf ? TRACE_REG_PERF_UNREGISTER : TRACE_REG_UNREGISTER,
				 &file->file);
	*enabled = false;
}

void events_run_work(void)
{
	unsigned int tries;

	for (tries = 0; events_work && events_work->pending && tries < 100; tries++) {
		events_work->pending = false;
		events_work->work.function(&events_work->work);
	}
}

/* probes/event/mutex.c and open.c, which use what is inside the kernel. */

int marker_event_mutex_run(void (*func)(void))
{
	if (request_is_refused())
		return -ENODEV;
	func();
	return 0;
}

void marker_event_mutex_keep_buffer(struct trace_event_file *file)
{
}

int marker_event_open_init(const char *system, const char *name)
{
	return request_is_refused() ? -ENOMEM : 0;
}

bool marker_event_is_open(const char *system, const char *name)
{
	return events_are_open;
}
