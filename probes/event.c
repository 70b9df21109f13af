// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace events made at run time.  What TRACE_EVENT() would have the compiler
 * write is done here by walking over the arguments of a format.
 *
 * The tracepoint of an event has no call site and no static key: it is the
 * list of listeners only, walked here, so that tracepoint.c does the locking.
 */
#include <linux/perf_event.h>
#include <linux/slab.h>
#include "event.h"
#include "event_mutex.h"

/* The start of every record; its fields follow. */
struct record {
	struct trace_entry entry;
	u16 line;
};

/* A listener of ours is called with these behind its data. */
typedef void listener_fn(void *data, struct event *event, const struct marker_site *site,
			 const unsigned long *args);

static const char *const type_names[] = {
	[MARKER_TYPE_S8] = "signed char", [MARKER_TYPE_U8] = "unsigned char",
	[MARKER_TYPE_S16] = "short", [MARKER_TYPE_U16] = "unsigned short",
	[MARKER_TYPE_S32] = "int", [MARKER_TYPE_U32] = "unsigned int",
	[MARKER_TYPE_S64] = "long", [MARKER_TYPE_U64] = "unsigned long",
	[MARKER_TYPE_STR] = "void *", [MARKER_TYPE_PTR] = "void *",
};

/* Bytes of each string with its NUL, and of all. */
static unsigned int notrace measure(const struct event *event, const unsigned long *args,
				    u16 *sizes)
{
	unsigned int i, sum = 0;

	for (i = 0; i < event->format.nargs; i++) {
		if (!event->format.args[i].is_string)
			continue;
		sizes[i] = strnlen(format_string(args[i]), EVENT_STRING_MAX - 1) + 1;
		sum += sizes[i];
	}
	return sum;
}

static void notrace fill(const struct event *event, struct record *record,
			 const struct marker_site *site, const unsigned long *args,
			 const u16 *sizes)
{
	unsigned int i, end = event->size;

	record->line = site->line;
	for (i = 0; i < event->format.nargs; i++) {
		void *field = (void *)record + event->offset[i];

		if (event->format.args[i].is_string) {
			/* The field says where and how long; the string may change. */
			*(u32 *)field = (u32)sizes[i] << 16 | end;
			memcpy((void *)record + end, format_string(args[i]), sizes[i] - 1);
			end += sizes[i];
			((char *)record)[end - 1] = '\0';
			continue;
		}
		/* Little-endian or not, assignment converts. */
		switch (format_type_size(event->format.args[i].type)) {
		case 1:
			*(u8 *)field = args[i];
			break;
		case 2:
			*(u16 *)field = args[i];
			break;
		case 4:
			*(u32 *)field = args[i];
			break;
		default:
			*(unsigned long *)field = args[i];
		}
	}
}

static void notrace to_ftrace(void *data, struct event *event, const struct marker_site *site,
			      const unsigned long *args)
{
	struct trace_event_file *file = data;
	struct trace_event_buffer buffer;
	u16 sizes[MARKER_ARGS_MAX];
	struct record *record;

	if (trace_trigger_soft_disabled(file))
		return;
	record = trace_event_buffer_reserve(&buffer, file,
					    event->size + measure(event, args, sizes));
	if (!record)
		return;
	fill(event, record, site, args, sizes);
	trace_event_buffer_commit(&buffer);
}

static void notrace to_perf(void *data, struct event *event, const struct marker_site *site,
			    const unsigned long *args)
{
	struct trace_event_call *call = data;
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	u16 sizes[MARKER_ARGS_MAX];
	struct record *record;
	struct pt_regs *regs;
	int size, context;

	if (!bpf_prog_array_valid(call) && hlist_empty(head))
		return;
	/* perf puts 4 bytes in front, and wants the sum a multiple of 8. */
	size = ALIGN(event->size + measure(event, args, sizes) + sizeof(u32), sizeof(u64)) -
	       sizeof(u32);
	record = perf_trace_buf_alloc(size, &regs, &context);
	if (!record)
		return;
	perf_fetch_caller_regs(regs);
	fill(event, record, site, args, sizes);
	perf_trace_run_bpf_submit(record, size, context, call, 1, regs, head, NULL);
}

void notrace event_write(struct event *event, const struct marker_site *site,
			 const unsigned long *args)
{
	struct tracepoint_func *listener;

	/* As tracepoints do; tracepoint_synchronize_unregister() waits for it. */
	preempt_disable_notrace();
	listener = rcu_is_watching() ? rcu_dereference_raw(event->tp.funcs) : NULL;
	for (; listener && listener->func; listener++)
		((listener_fn *)listener->func)(listener->data, event, site, args);
	preempt_enable_notrace();
}

/* A record as the marker's format has it, for tracefs. */
static enum print_line_t print(struct trace_iterator *iter, int flags, struct trace_event *what)
{
	struct event *event = container_of(what, struct event, call.event);
	const void *record = iter->ent;
	unsigned long args[MARKER_ARGS_MAX] = { };
	unsigned int i;

	for (i = 0; i < event->format.nargs; i++) {
		const struct format_arg *arg = &event->format.args[i];
		const void *field = record + event->offset[i];
		unsigned int bits = 8 * format_type_size(arg->type);

		if (arg->is_string) {
			args[i] = (unsigned long)(record + (*(u32 *)field & 0xffff));
			continue;
		}
		memcpy(&args[i], field, bits / 8);
		if (format_type_is_signed(arg->type))
			args[i] = (long)(args[i] << (64 - bits)) >> (64 - bits);
	}
	trace_seq_printf(&iter->seq, "%s: ", event_name(event));
	trace_seq_printf(&iter->seq, event->format.text, args[0], args[1], args[2], args[3],
			 args[4], args[5], args[6], args[7]);
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static int define_fields(struct trace_event_call *call)
{
	struct event *event = container_of(call, struct event, call);
	unsigned int i;
	int ret;

	ret = trace_define_field(call, "unsigned short", "line", offsetof(struct record, line),
				 sizeof(u16), 0, FILTER_OTHER);
	for (i = 0; !ret && i < event->format.nargs; i++) {
		const struct format_arg *arg = &event->format.args[i];

		if (arg->is_string)
			ret = trace_define_field(call, "__data_loc char[]", arg->name,
						 event->offset[i], sizeof(u32), 1, FILTER_OTHER);
		else
			ret = trace_define_field(call, type_names[arg->type], arg->name,
						 event->offset[i], format_type_size(arg->type),
						 format_type_is_signed(arg->type), FILTER_OTHER);
	}
	return ret;
}

static struct trace_event_fields fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = define_fields },
	{ }
};

static void lay_out(struct event *event)
{
	unsigned int i, end = offsetofend(struct record, line);

	for (i = 0; i < event->format.nargs; i++) {
		const struct format_arg *arg = &event->format.args[i];
		unsigned int size = arg->is_string ? sizeof(u32) : format_type_size(arg->type);

		event->offset[i] = ALIGN(end, size);
		end = event->offset[i] + size;
	}
	event->size = ALIGN(end, sizeof(u64));
}

/* The text as a string of C, and where its arguments are in a record. */
static char *make_print_fmt(const struct event *event)
{
	size_t size = 2 * sizeof(event->format.text) + MARKER_ARGS_MAX * (FORMAT_NAME_MAX + 24);
	char *out = kzalloc(size, GFP_KERNEL);
	const char *s;
	size_t len = 0;
	unsigned int i;

	if (!out)
		return NULL;
	out[len++] = '"';
	for (s = event->format.text; *s; s++) {
		if (*s == '"' || *s == '\\')
			out[len++] = '\\';
		out[len++] = *s;
	}
	out[len++] = '"';
	for (i = 0; i < event->format.nargs; i++)
		len += scnprintf(out + len, size - len,
				 event->format.args[i].is_string ? ", __get_str(%s)" : ", REC->%s",
				 event->format.args[i].name);
	return out;
}

static bool name_is_used(const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, "markers", name);

	if (IS_ERR(file))
		return PTR_ERR(file) == -EBUSY;
	trace_put_event_file(file);
	return true;
}

static void free_event(struct event *event)
{
	kfree(event->call.print_fmt);
	kfree(event->tp.name);
	kfree(event);
}

struct event *event_create(const struct marker_site *site)
{
	struct event *event;
	int ret = -ENOMEM;

	if (name_is_used(site->name))
		return ERR_PTR(-EEXIST);
	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return ERR_PTR(-ENOMEM);
	format_parse(&event->format, site);
	lay_out(event);
	event->tp.name = kstrdup(site->name, GFP_KERNEL);
	event->call.print_fmt = make_print_fmt(event);
	if (!event->tp.name || !event->call.print_fmt)
		goto err_free;
	event->class = (struct trace_event_class){
		.system = "markers",
		.probe = to_ftrace,
		.perf_probe = to_perf,
		.reg = trace_event_reg,
		.fields_array = fields,
		.raw_init = trace_event_raw_init,
	};
	INIT_LIST_HEAD(&event->class.fields);
	event->functions.trace = print;
	event->call.class = &event->class;
	event->call.tp = &event->tp;
	event->call.event.funcs = &event->functions;
	event->call.flags = TRACE_EVENT_FL_TRACEPOINT | TRACE_EVENT_FL_DYNAMIC;
	ret = event_add(&event->call);
	if (ret < 0)
		goto err_free;
	return event;

err_free:
	free_event(event);
	return ERR_PTR(ret);
}

int event_destroy(struct event *event)
{
	int ret;

	if (atomic_read(&event->call.refcnt))
		return -EBUSY;
	ret = event_remove(&event->call);
	if (ret)
		return ret;
	/* Its listeners have gone; one may still be on its way. */
	tracepoint_synchronize_unregister();
	free_event(event);
	return 0;
}
