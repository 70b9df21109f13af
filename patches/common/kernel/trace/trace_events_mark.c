// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace events of markers, which are made from their formats: the functions here walk over the
 * fields of an event, where TRACE_EVENT() has the compiler generate code for each event.
 *
 * MARK() is in include/linux/marker.h, and the locking and patching of tracepoints in
 * kernel/tracepoint.c.
 *
 * Locks: event_mutex for the events; under it marker_mutex, for the markers of an event and
 * their probes; under that tracepoints_mutex.
 */
#define pr_fmt(fmt) "markers: " fmt

//+ bpf
#include <linux/bpf.h>
//.
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/hashtable.h>
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/printk.h>
//+ perf
#include <linux/perf_event.h>
//.
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "trace.h"
#include "trace_events_mark.h"
#include "trace_output.h"

/* Most bytes of a text in a record, with its end; of a name; of an array. */
#define MARKER_TEXT_MAX		256
#define MARKER_NAME_MAX		32
#define MARKER_BYTES_MAX	64

enum marker_field_kind {
	MARKER_FIELD_NUMBER,
	MARKER_FIELD_TEXT,	/* __data_loc: a copy of a string */
	MARKER_FIELD_RENDERED,	/* __data_loc: the text that printk() would print */
	MARKER_FIELD_BYTES,	/* an array */
//+ fields
	MARKER_FIELD_SYMBOL,	/* an s32 */
//.
};

/* The strings are in the text of the event. */
struct marker_field {
	const char *name;
	const char *c_type;
	const char *print;	/* the text up to the end of the conversion */
	const char *conversion;	/* the conversion in the format of the marker, with its end */
	u8 kind;
	u8 type;		/* enum marker_type */
	u8 arg;			/* number of the first argument of the conversion */
	u8 stars;		/* arguments before the value: width and precision */
	u8 vararg;		/* bytes of the number that the conversion takes */
	bool is_string;		/* the conversion is "%s" */
	bool is_cut;		/* of a string: the last star is a precision */
	u16 width;		/* of a string: the most characters, or 0 */
	u16 size;		/* in the record */
	u16 offset;
};

struct marker_event {
	struct trace_event_call call;
	struct trace_event_class class;
	struct trace_event_functions functions;
	struct tracepoint tp;	/* has the name, for call.tp; is never called */
	struct hlist_node node;	/* in marker_events by name, or in marker_dead */
	struct marker *markers;
	struct trace_event_fields *definitions;
	char *name;		/* SYSTEM:NAME */
	char *system;
	char *text;
	const char *end;	/* the text behind the last conversion */
	const char *why;	/* why the format cannot be recorded */
	unsigned int size;	/* of a record without texts */
	unsigned int nr_fields;
	bool has_texts;
	struct marker_field field[];
};

static DEFINE_MUTEX(marker_mutex);
static DEFINE_HASHTABLE(marker_events, 8);

/* The names of C, because tools compile a struct of the fields. */
static const struct {
	const char *name;
	u8 size;
	bool is_signed;
} marker_types[] = {
	[MARKER_S8] = { "signed char", 1, true }, [MARKER_U8] = { "unsigned char", 1 },
	[MARKER_S16] = { "short", 2, true }, [MARKER_U16] = { "unsigned short", 2 },
	[MARKER_S32] = { "int", 4, true }, [MARKER_U32] = { "unsigned int", 4 },
	[MARKER_S64] = { "long long", 8, true }, [MARKER_U64] = { "unsigned long long", 8 },
	[MARKER_STR] = { "void *", sizeof(long) }, [MARKER_PTR] = { "void *", sizeof(long) },
//+ fields
	[MARKER_SYMBOL] = { "int", 4, true },
//.
};

/* The head of each record.  Several markers are one event; @__ip says which of them it was. */
struct marker_record {
	struct trace_entry entry;
	unsigned long ip;
};

//+ fields
static_assert(sizeof(struct marker_entry) == sizeof(struct marker_record));

//.
static unsigned int marker_type(const struct marker *marker, unsigned int arg)
{
	return arg < MARKER_ARGS_MAX ? marker->types >> (4 * arg) & 15 : MARKER_NONE;
}

//+ fields
static unsigned int marker_nr_symbols(const struct trace_print_flags *symbols)
{
	unsigned int n = 0;

	while (symbols[n].name)
		n++;
	return n;
}

//.
/* The name without its system. */
static const char *marker_name(const struct marker *marker)
{
	return strchr(marker->tp.name, ':') + 1;
}

/*
 * Records.
 */

/* Texts of one record: the size of each, with its end, and copies of as many as fit. */
struct marker_texts {
	char *copies;
	unsigned int room;
	unsigned int sum;
	u16 sizes[MARKER_ARGS_MAX];
};

/* For the copies of a task, and of a softirq, an interrupt and an NMI that interrupt it. */
static DEFINE_PER_CPU(char [4][MARKER_TEXT_MAX], marker_copies);
static DEFINE_PER_CPU(unsigned int, marker_depth);

/* Return the most bytes of a string that are read, with an end. */
static unsigned int marker_string_limit(const struct marker_field *field, const u64 *args)
{
	int precision = field->width ?: -1;

	if (field->is_cut)
		precision = max_t(int, args[field->arg + field->stars - 1], 0);
	return precision >= 0 ? min(precision, MARKER_TEXT_MAX - 1) + 1 : MARKER_TEXT_MAX;
}

/* Return the most bytes of a text in a record, with its end. */
static unsigned int marker_text_limit(const struct marker_field *field, const u64 *args)
{
	return field->kind == MARKER_FIELD_TEXT ? marker_string_limit(field, args) :
						  MARKER_TEXT_MAX;
}

/*
 * Copy a text, which may be gone or no text at all.  With a precision it need not have an end,
 * and what is behind it may be unreadable.  Return its size, up to @size.
 */
static unsigned int marker_copy_string(char *to, const char *from, unsigned int size)
{
	long ret = from ? strncpy_from_kernel_nofault(to, from, size) : 0;

	if (ret < 0 && size < MARKER_TEXT_MAX && !copy_from_kernel_nofault(to, from, size - 1)) {
		to[size - 1] = 0;
		ret = strlen(to) + 1;
	}
	if (ret <= 0)
		ret = strscpy(to, from ? "(efault)" : "(null)", size) + 1;
	return ret > 0 ? ret : size;
}

/* Print a value as printk() does, with its width and precision if they are arguments. */
#define MARKER_PRINT(to, size, field, args, value)				\
	((field)->stars == 2 ? snprintf(to, size, (field)->conversion, (int)(args)[0],	\
					(int)(args)[1], value) :		\
	 (field)->stars ? snprintf(to, size, (field)->conversion, (int)(args)[0], value) : \
			  snprintf(to, size, (field)->conversion, value))

static noinline int marker_render_string(char *to, const struct marker_field *field,
					 const u64 *args, unsigned int size)
{
	const char *from = (const char *)(unsigned long)args[field->arg + field->stars];
	char text[MARKER_TEXT_MAX];

	marker_copy_string(text, from, marker_string_limit(field, args));
	args += field->arg;
	return MARKER_PRINT(to, size, field, args, text);
}

static unsigned int marker_render(char *to, const struct marker_field *field, const u64 *args,
				  unsigned int size)
{
	u64 value;
	int ret;

	value = args[field->arg + field->stars];
	args += field->arg;
	if (field->is_string)
		ret = marker_render_string(to, field, args - field->arg, size);
	else if (field->vararg == sizeof(u64))
		ret = MARKER_PRINT(to, size, field, args, value);
	else
		ret = MARKER_PRINT(to, size, field, args, (u32)value);
	return min_t(unsigned int, ret + 1, size);
}

static unsigned int marker_copy_text(char *to, const struct marker_field *field,
				     const u64 *args, unsigned int size)
{
	if (field->kind == MARKER_FIELD_RENDERED)
		return marker_render(to, field, args, size);
	return marker_copy_string(to, (const char *)(unsigned long)args[field->arg + field->stars],
				  size);
}

static bool marker_is_text(const struct marker_field *field)
{
	return field->kind == MARKER_FIELD_TEXT || field->kind == MARKER_FIELD_RENDERED;
}

/* A function of its own, because of its stack. */
static noinline unsigned int marker_text_size(const struct marker_field *field, const u64 *args)
{
	char text[MARKER_TEXT_MAX];

	return marker_copy_text(text, field, args, marker_text_limit(field, args));
}

static noinline void marker_copy_texts(const struct marker_event *event, const u64 *args,
				       struct marker_texts *texts)
{
	const struct marker_field *field = event->field, *end = field + event->nr_fields;
	unsigned int depth;
	u16 *sizes = texts->sizes;

	texts->room = 0;
	depth = this_cpu_inc_return(marker_depth) - 1;
	barrier();	/* an interrupt has to see it before it copies, too */
	if (depth < ARRAY_SIZE(marker_copies)) {
		texts->room = MARKER_TEXT_MAX;
		texts->copies = *this_cpu_ptr(&marker_copies[depth]);
	}
	for (; field < end; field++) {
		unsigned int limit = marker_text_limit(field, args);
		unsigned int size = 0, room = 0;

		if (!marker_is_text(field))
			continue;
		if (texts->sum < texts->room) {
			room = min(limit, texts->room - texts->sum);
			size = marker_copy_text(texts->copies + texts->sum, field, args, room);
		}
		if (size == room && room < limit)
			size = marker_text_size(field, args);
		*sizes++ = size;
		texts->sum += size;
	}
}

/* Preemption is disabled until marker_forget(). */
static __always_inline void marker_measure(const struct marker_event *event, const u64 *args,
					   struct marker_texts *texts)
{
	texts->sum = 0;
	if (event->has_texts)
		marker_copy_texts(event, args, texts);
}

static __always_inline void marker_forget(const struct marker_event *event)
{
	barrier();	/* the copies are not needed any more */
	if (event->has_texts)
		this_cpu_dec(marker_depth);
}

static void marker_fill(const struct marker_event *event, void *record, unsigned long ip,
			const u64 *args, const struct marker_texts *texts)
{
	const struct marker_field *field = event->field, *end = field + event->nr_fields;
	const u16 *sizes = texts->sizes;
	unsigned int sum = 0;

	((struct marker_record *)record)->ip = ip;
	for (; field < end; field++) {
		const u64 *arg = &args[field->arg + field->stars];
		void *to = record + field->offset;

		if (marker_is_text(field)) {
			unsigned int size = *sizes++, start = event->size + sum, copied = size;

			if (sum + size <= texts->room)
				memcpy(record + start, texts->copies + sum, size);
			else	/* It may have become shorter. */
				copied = marker_copy_text(record + start, field, args, size);
			memset(record + start + copied - 1, 0, size - copied + 1);
			*(u32 *)to = size << 16 | start;
			sum += size;
		} else if (field->kind == MARKER_FIELD_BYTES) {
			if (copy_from_kernel_nofault(to, (void *)(unsigned long)*arg,
						     field->size))
				memset(to, 0, field->size);
		} else if (field->size == 8) {
			*(u64 *)to = *arg;
		} else if (field->size == 4) {
			*(u32 *)to = *arg;
		} else if (field->size == 2) {
			*(u16 *)to = *arg;
		} else {
			*(u8 *)to = *arg;
		}
	}
}

/*
 * The probes of ftrace and perf are part of marker_call(), so that the only function between the
 * marker and trace_event_buffer_commit() is marker_call(), as it is the only one for a trace
 * event: stack traces and call chains begin at the marker.  marker_call() knows these
 * probes by the functions that are registered, which are never called.
 */
static void marker_probe_ftrace(void *data, const struct marker *marker, unsigned long ip,
				const u64 *args)
{
}

static __always_inline void marker_record_ftrace(struct trace_event_file *file,
						 unsigned long ip, const u64 *args)
{
	struct marker_event *event = container_of(file->event_call, struct marker_event, call);
	struct trace_event_buffer buffer;
	struct marker_texts texts;
	void *record;

	if (trace_trigger_soft_disabled(file))
		return;
	marker_probe_lock();
	marker_measure(event, args, &texts);
	record = trace_event_buffer_reserve(&buffer, file, event->size + texts.sum);
	if (record)
		marker_fill(event, record, ip, args, &texts);
	marker_forget(event);
	if (record)
		trace_event_buffer_commit(&buffer);
	marker_probe_unlock();
}

//+ perf
#ifdef CONFIG_PERF_EVENTS
static void marker_probe_perf(void *data, const struct marker *marker, unsigned long ip,
			      const u64 *args)
{
}

static __always_inline void marker_record_perf(struct trace_event_call *call, unsigned long ip,
					       const u64 *args)
{
	struct marker_event *event = container_of(call, struct marker_event, call);
	struct marker_texts texts;
	struct hlist_head *head;
	struct pt_regs *regs;
	void *record;
	int size, context;

	marker_probe_lock();
	head = this_cpu_ptr(call->perf_events);
	if (!bpf_prog_array_valid(call) && hlist_empty(head))
		goto unlock;
	marker_measure(event, args, &texts);
	/* perf puts an u32 in front. */
	size = ALIGN(event->size + texts.sum + sizeof(u32), sizeof(u64)) - sizeof(u32);
	record = perf_trace_buf_alloc(size, &regs, &context);
	if (record)
		marker_fill(event, record, ip, args, &texts);
	marker_forget(event);
	if (!record)
		goto unlock;
	perf_arch_fetch_caller_regs(regs, ip);
	perf_trace_run_bpf_submit(record, size, context, call, 1, regs, head, NULL);
unlock:
	marker_probe_unlock();
}
#endif

//.
/**
 * marker_call - call the probes of a marker
 * @marker: the marker
 * @...: its arguments, each an u64
 *
 * Context: that of the marker.  On a CPU that is offline, and where RCU is not watching, no
 * probe is called, because tracepoint_synchronize_unregister() does not wait for the caller.
 */
void marker_call(const struct marker *marker, ...)
{
	typeof(marker_walk_lock()) lock;
	struct tracepoint_func *func;
	u64 args[MARKER_ARGS_MAX];
	unsigned int i;
	va_list list;

	if (!cpu_online(raw_smp_processor_id()) || !rcu_is_watching())
		return;
	va_start(list, marker);
	for (i = 0; i < marker->nr_args; i++)
		args[i] = va_arg(list, u64);
	va_end(list);
	lock = marker_walk_lock();
	func = rcu_dereference_raw(marker->tp.funcs);
	for (; func && func->func; func++) {
		marker_probe_fn *probe = READ_ONCE(func->func);

		if (probe == marker_probe_ftrace)
			marker_record_ftrace(func->data, _RET_IP_, args);
//+ perf
#ifdef CONFIG_PERF_EVENTS
		else if (probe == marker_probe_perf)
			marker_record_perf(func->data, _RET_IP_, args);
#endif
//.
		else
			probe(func->data, marker, _RET_IP_, args);
	}
	marker_walk_unlock(lock);
}
EXPORT_SYMBOL_GPL(marker_call);

/**
 * marker_check_rcu - warn, once for each marker, if RCU is not watching
 * @marker: the marker, enabled or not
 *
 * Context: that of the marker; kernels with CONFIG_LOCKDEP call this each time.
 */
void marker_check_rcu(struct marker *marker)
{
	if (likely(rcu_is_watching()) || !cpu_online(raw_smp_processor_id()))
		return;
	if (!READ_ONCE(marker->warned)) {
		WRITE_ONCE(marker->warned, true);
		WARN(1, "RCU not watching for marker %s\n", marker->tp.name);
	}
}
EXPORT_SYMBOL_GPL(marker_check_rcu);

//+ bpf
#ifdef CONFIG_BPF_EVENTS
/* The probe of a raw tracepoint: the program gets the arguments as they are. */
void marker_probe_bpf(void *data, const struct marker *marker, unsigned long ip,
		      const u64 *args)
{
	switch (marker->nr_args) {
	case 0:
		return bpf_trace_run1(data, 0);
	case 1:
		return bpf_trace_run1(data, args[0]);
	case 2:
		return bpf_trace_run2(data, args[0], args[1]);
	case 3:
		return bpf_trace_run3(data, args[0], args[1], args[2]);
	case 4:
		return bpf_trace_run4(data, args[0], args[1], args[2], args[3]);
	case 5:
		return bpf_trace_run5(data, args[0], args[1], args[2], args[3], args[4]);
	case 6:
		return bpf_trace_run6(data, args[0], args[1], args[2], args[3], args[4],
				      args[5]);
	case 7:
		return bpf_trace_run7(data, args[0], args[1], args[2], args[3], args[4],
				      args[5], args[6]);
	case 8:
		return bpf_trace_run8(data, args[0], args[1], args[2], args[3], args[4],
				      args[5], args[6], args[7]);
	case 9:
		return bpf_trace_run9(data, args[0], args[1], args[2], args[3], args[4],
				      args[5], args[6], args[7], args[8]);
	case 10:
		return bpf_trace_run10(data, args[0], args[1], args[2], args[3], args[4],
				       args[5], args[6], args[7], args[8], args[9]);
	case 11:
		return bpf_trace_run11(data, args[0], args[1], args[2], args[3], args[4],
				       args[5], args[6], args[7], args[8], args[9],
				       args[10]);
	default:
		return bpf_trace_run12(data, args[0], args[1], args[2], args[3], args[4],
				       args[5], args[6], args[7], args[8], args[9],
				       args[10], args[11]);
	}
}
EXPORT_SYMBOL_GPL(marker_probe_bpf);
#endif

//.
/*
 * The text of a record, as the format has it: each piece by itself.
 */

static void marker_print_number(struct trace_iterator *iter, const struct marker_field *field,
				const void *from)
{
	u64 value;

	switch (field->size) {
	case 1:
		value = field->type == MARKER_S8 ? *(s8 *)from : *(u8 *)from;
		break;
	case 2:
		value = field->type == MARKER_S16 ? *(s16 *)from : *(u16 *)from;
		break;
	case 4:
		value = field->type == MARKER_S32 ? *(s32 *)from : *(u32 *)from;
		break;
	default:
		value = *(u64 *)from;
	}
	if (field->vararg == sizeof(u64))
		trace_event_printf(iter, field->print, value);
	else
		trace_event_printf(iter, field->print, (u32)value);
}

static enum print_line_t marker_print(struct trace_iterator *iter, int flags,
				      struct trace_event *trace_event)
{
	struct marker_event *event =
		container_of(trace_event, struct marker_event, call.event);
//+ fields
	const struct trace_print_flags *symbols = event->markers->symbols;
//.
	int ret = trace_raw_output_prep(iter, trace_event);
	unsigned int i;
//+ fields
	unsigned int nr;
//.

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	for (i = 0; i < event->nr_fields; i++) {
		const struct marker_field *field = &event->field[i];
		void *from = (void *)iter->ent + field->offset;

		switch (field->kind) {
		case MARKER_FIELD_TEXT:
		case MARKER_FIELD_RENDERED:
			trace_event_printf(iter, field->print,
					   (void *)iter->ent + (*(u32 *)from & 0xffff));
			break;
		case MARKER_FIELD_BYTES:
			trace_event_printf(iter, field->print, from);
			break;
//+ fields
		case MARKER_FIELD_SYMBOL:
			nr = marker_nr_symbols(symbols);
			trace_event_printf(iter, field->print,
					   marker_print_symbol(&iter->tmp_seq, *(s32 *)from,
							       symbols, nr));
			symbols += nr + 1;
			break;
//.
		default:
			marker_print_number(iter, field, from);
		}
	}
	trace_event_printf(iter, event->end);
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

/*
 * Events: their fields.
 */

static void marker_conversion_pointer(struct marker_field *field, const char *s,
				      unsigned int width)
{
	field->kind = MARKER_FIELD_BYTES;
	if (s[0] == 'h' && width >= 1 && width <= MARKER_BYTES_MAX)
		field->size = width;
	else if (s[0] == 'M' || s[0] == 'm')
		field->size = 6;
	else if ((s[0] == 'I' || s[0] == 'i') && s[1] == '4')
		field->size = 4;
	else if ((s[0] == 'I' || s[0] == 'i') && s[1] == '6')
		field->size = 16;
	else if (s[0] == 'U')
		field->size = 16;
	else if (!isalnum(s[0]) || strchr("KxsS", s[0]))
		field->kind = MARKER_FIELD_NUMBER;
	else
		field->kind = MARKER_FIELD_RENDERED;
}

static unsigned int marker_parse_width(struct marker_field *field, const char **s,
				       unsigned int max)
{
	unsigned int width = 0;

	if (**s == '*') {
		field->stars++;
		++*s;
	}
	for (; isdigit(**s); ++*s)
		width = min(10 * width + **s - '0', max);
	return width;
}

/*
 * Parse the conversion at the '%' of @s, whose first argument is @field->arg.  A text with a
 * precision that is an argument is cut; everything else that would need another argument or
 * what a pointer leads to is rendered.  Return what is behind the conversion, or NULL if
 * printk() has no such conversion for the type of the argument.
 */
static const char *marker_parse_conversion(struct marker_field *field, const char *s,
					   const struct marker *marker)
{
	unsigned int width, precision = 0, longs = 0, type;
	bool has_precision;

	for (s++; *s && strchr("-+ #0", *s); s++)
		;
	width = marker_parse_width(field, &s, 10000);
	has_precision = *s == '.';
	if (has_precision) {
		s++;
		field->is_cut = *s == '*';
		precision = marker_parse_width(field, &s, MARKER_TEXT_MAX - 1);
	}
	type = marker_type(marker, field->arg + field->stars);
	if (!type)
		return NULL;
	field->type = type;
	field->size = marker_types[type].size;
	field->kind = field->stars ? MARKER_FIELD_RENDERED : MARKER_FIELD_NUMBER;
	for (; *s == 'h'; s++)
		;
	for (; *s && strchr("lztjqLZ", *s); s++)
		longs += *s == 'l' || *s == 'z' || *s == 'Z' || *s == 't' ? 1 : 2;
	field->vararg = longs > 1 ? sizeof(u64) : longs ? sizeof(long) : sizeof(int);
	switch (*s) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
	case 'c':
		return type < MARKER_STR ? s + 1 : NULL;
	case 's':
		field->is_string = true;
		field->vararg = sizeof(long);
		if (field->stars == field->is_cut)
			field->kind = MARKER_FIELD_TEXT;
		/* "%.0s": in @width it would be no precision. */
		if (has_precision && !field->is_cut && !precision)
			field->kind = MARKER_FIELD_RENDERED;
		field->width = precision;
		return type == MARKER_STR || type == MARKER_PTR ? s + 1 : NULL;
	case 'p':
		field->vararg = sizeof(long);
		if (type < MARKER_STR)
			return NULL;
		if (!field->stars)
			marker_conversion_pointer(field, s + 1, width);
		for (s++; isalnum(*s); s++)
			;
//+ fields
		if (type == MARKER_SYMBOL)
			field->kind = MARKER_FIELD_SYMBOL;
//.
		return s;
	}
	return NULL;
}

static bool marker_has_field(const struct marker_event *event, const char *name)
{
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++)
		if (!strcmp(event->field[i].name, name))
			return true;
	return false;
}

/* Tools make structures of fields, so no name may be a keyword of C. */
static bool marker_is_keyword(const char *name)
{
	static const char * const keywords[] = {
		"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
		"else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
		"register", "return", "short", "signed", "sizeof", "static", "struct", "switch",
		"typedef", "union", "unsigned", "void", "volatile", "while",
	};

	return match_string(keywords, ARRAY_SIZE(keywords), name) >= 0;
}

static bool marker_is_name_char(char c)
{
	return isascii(c) && (isalnum(c) || c == '_');
}

/*
 * Write the name of the field, which is the word before the "=" at @s and not before @start, to
 * @to, or "argN" if there is none or another field has it.  Return what is behind it.
 */
static char *marker_parse_name(struct marker_event *event, const char *start, const char *s,
			       char *to)
{
	unsigned int number = event->nr_fields;
	const char *from = s;

	event->field[event->nr_fields].name = to;
	if (s > start && *--s == '=')
		for (from = s; from > start && marker_is_name_char(from[-1]); from--)
			;
	/* Other letters, such as those of UTF-8, may be a part of the word. */
	if (from > start && !isascii(from[-1]))
		from = s;
	sprintf(to, "%.*s", from < s ? (int)(s - from) : 0, from);
	if (!*to || strlen(to) >= MARKER_NAME_MAX || isdigit(*to) || !strcmp(to, "__ip") ||
	    !strncmp(to, "common_", 7) || marker_is_keyword(to) || marker_has_field(event, to))
		do
			sprintf(to, "arg%u", number++);
		while (marker_has_field(event, to));
	return to + strlen(to) + 1;
}

static const char *marker_c_type(const struct marker_field *field)
{
	return marker_is_text(field) ? "__data_loc char[]" : marker_types[field->type].name;
}

/* Take in a field whose conversion is at @s; its texts go to @to.  Return what is behind them. */
static char *marker_parse_field(struct marker_event *event, struct marker_field *field,
				const char *s, const char *behind, char *to)
{
	bool as_text = field->kind == MARKER_FIELD_RENDERED || field->is_cut;

//+ fields
	as_text |= field->kind == MARKER_FIELD_SYMBOL;
//.
	if (as_text)
		to += sprintf(to, "%%s") + 1;
	else
		to += sprintf(to, "%.*s", (int)(behind - s), s) + 1;
	field->print = event->end;
	field->conversion = to;
	to += sprintf(to, "%.*s", (int)(behind - s), s) + 1;
	field->c_type = marker_c_type(field);
	if (field->kind == MARKER_FIELD_BYTES) {
		field->c_type = to;
		to += sprintf(to, "unsigned char[%u]", field->size) + 1;
	}
	if (marker_is_text(field)) {
		field->size = sizeof(u32);
		event->has_texts = true;
	}
	return to;
}

/* Cut the format into pieces with one conversion each, and find the fields. */
static int marker_parse(struct marker_event *event, const struct marker *marker)
{
	const char *s, *behind, *start, *format = skip_spaces(printk_skip_level(marker->format));
	const char *end = format + strlen(format);
	unsigned int offset = sizeof(struct marker_record), arg = 0;
	/* In pieces, as conversions and as names; for each ends, "arg23", "unsigned char[64]". */
	char *to = kzalloc(3 * strlen(format) + 1 + 36 * marker->nr_args, GFP_KERNEL);

	event->text = to;
	if (!to)
		return -ENOMEM;
	event->end = to;
	start = format;
	/* Not the newlines of a printk(). */
	while (end > format && iscntrl(end[-1]))
		end--;
	for (s = format; s < end; s = behind) {
		struct marker_field *field = &event->field[event->nr_fields];

		if (s[0] != '%' || s[1] == '%') {
			behind = s + (s[0] == '%' ? 2 : 1);
			for (; s < behind; s++)
				*to++ = iscntrl(*s) ? ' ' : *s;
			continue;
		}
		event->why = s;
		if (arg == marker->nr_args)
			return -EINVAL;
		field->arg = arg;
		behind = marker_parse_conversion(field, s, marker);
		if (!behind)
			return -EINVAL;
		arg += field->stars + 1;
		to = marker_parse_field(event, field, s, behind, to);
		to = marker_parse_name(event, start, s, to);
		start = behind;
		if (field->kind != MARKER_FIELD_BYTES)
			offset = ALIGN(offset, field->size);
		field->offset = offset;
		offset += field->size;
		event->end = to;
		event->nr_fields++;
	}
	*to = '\0';		/* a name that was too long or taken may have been here */
	event->why = s;
	if (arg < marker->nr_args)
		return -EINVAL;
	event->why = NULL;
	event->size = ALIGN(offset, sizeof(u32));
	return 0;
}

/* The core computes the offsets of these definitions, as those of TRACE_EVENT(). */
static int marker_define(struct marker_event *event)
{
	unsigned int i;

	const struct trace_event_fields ip = {
		.type = "unsigned long", .name = "__ip", .size = sizeof(long),
		.align = __alignof__(long), .filter_type = FILTER_OTHER,
	};

	event->definitions = kcalloc(event->nr_fields + 2, sizeof(*event->definitions),
				     GFP_KERNEL);
	if (!event->definitions)
		return -ENOMEM;
	/* The members of a definition are constant. */
	memcpy(event->definitions, &ip, sizeof(ip));
	for (i = 0; i < event->nr_fields; i++) {
		const struct marker_field *field = &event->field[i];
		bool is_text = marker_is_text(field);
		bool is_bytes = field->kind == MARKER_FIELD_BYTES;
		struct trace_event_fields definition = {
			.type = field->c_type,
			.name = field->name,
			.size = field->size,
			.align = is_bytes ? 1 : field->size,
			.is_signed = is_text ||
				     (!is_bytes && marker_types[field->type].is_signed),
			.filter_type = FILTER_OTHER,
			.len = is_bytes ? field->size : 0,
		};

		memcpy(&event->definitions[i + 1], &definition, sizeof(definition));
	}
	return 0;
}

static bool marker_is_hex(const struct marker_field *field)
{
	return field->kind == MARKER_FIELD_BYTES && strstr(strrchr(field->print, '%'), "ph");
}

static void marker_quote(struct seq_buf *to, const char *from, const char *end)
{
	for (; from < end; from++) {
		if (*from == '"' || *from == '\\')
			seq_buf_putc(to, '\\');
		seq_buf_putc(to, *from);
	}
}

/* Quote a conversion for libtraceevent, which does not know %c and some flags. */
static void marker_quote_field(struct seq_buf *to, const struct marker_field *field)
{
	const char *s = strrchr(field->print, '%');

	marker_quote(to, field->print, s);
	if (marker_is_hex(field)) {
		seq_buf_puts(to, "%s");
		return;
	}
	for (; *s; s++) {
		if (*s == '+' || *s == ' ')
			continue;
		seq_buf_putc(to, *s == 'c' && field->kind == MARKER_FIELD_NUMBER ? 'd' : *s);
	}
}

//- fields
static void marker_describe(struct seq_buf *to, const struct marker_field *field)
//.
//+ fields
static void marker_describe(struct seq_buf *to, const struct marker_field *field,
			    const struct trace_print_flags **symbols)
//.
{
	unsigned int bits = 8 * field->size;

	if (marker_is_text(field)) {
		seq_buf_printf(to, ", __get_str(%s)", field->name);
	} else if (marker_is_hex(field)) {
		seq_buf_printf(to, ", __print_hex(REC->%s, %u)", field->name, field->size);
//+ fields
	} else if (field->kind == MARKER_FIELD_SYMBOL) {
		const struct trace_print_flags *symbol = *symbols;

		seq_buf_printf(to, ", __print_symbolic(REC->%s", field->name);
		for (; symbol->name; symbol++)
			seq_buf_printf(to, ", { 0x%x, \"%s\" }", (u32)symbol->mask,
				       symbol->name);
		seq_buf_putc(to, ')');
		*symbols = symbol + 1;
//.
	} else if (field->type == MARKER_S8 || field->type == MARKER_S16) {
		/* libtraceevent extends no sign below an int. */
		seq_buf_printf(to, ", REC->%s > %lu ? REC->%s - %lu : REC->%s", field->name,
			       BIT(bits - 1) - 1, field->name, BIT(bits), field->name);
	} else {
		seq_buf_printf(to, ", REC->%s", field->name);
	}
}

static void marker_write_print_fmt(const struct marker_event *event, const struct marker *marker,
				   struct seq_buf *to)
{
//+ fields
	const struct trace_print_flags *symbols = marker->symbols;
//.
	unsigned int i;

	seq_buf_putc(to, '"');
	for (i = 0; i < event->nr_fields; i++)
		marker_quote_field(to, &event->field[i]);
	marker_quote(to, event->end, event->end + strlen(event->end));
	seq_buf_putc(to, '"');
	for (i = 0; i < event->nr_fields; i++)
//- fields
		marker_describe(to, &event->field[i]);
//.
//+ fields
		marker_describe(to, &event->field[i], &symbols);
//.
}

/* Return the print_fmt of an event, or NULL without memory. */
static char *marker_print_fmt(const struct marker_event *event, const struct marker *marker)
{
	char *print_fmt, *buffer;
	struct seq_buf to;
	size_t size;

	for (size = 512;; size *= 2) {
		buffer = kmalloc(size, GFP_KERNEL);
		if (!buffer)
			return NULL;
		seq_buf_init(&to, buffer, size);
		marker_write_print_fmt(event, marker, &to);
		if (!seq_buf_has_overflowed(&to))
			break;
		kfree(buffer);
	}
	print_fmt = kmemdup_nul(buffer, to.len, GFP_KERNEL);
	kfree(buffer);
	return print_fmt;
}

/*
 * Events: who is registered.
 */

static void marker_unregister_until(struct marker *first, struct marker *end,
				    marker_probe_fn *probe, void *data)
{
	for (; first != end; first = first->next)
		tracepoint_probe_unregister(&first->tp, probe, data);
}

/**
 * marker_probe_register - register a probe at all markers of an event
 * @marker: one of the markers
 * @probe: the probe
 * @data: the first argument of the probe
 *
 * Context: may sleep.
 * Return: 0, -ENOENT for a marker that was refused, or as tracepoint_probe_register().
 */
int marker_probe_register(struct marker *marker, marker_probe_fn *probe, void *data)
{
	struct marker *one;
	int ret = -ENOENT;

	mutex_lock(&marker_mutex);
	if (!marker->event)
		goto unlock;
	for (one = marker->event->markers; one; one = one->next) {
		ret = tracepoint_probe_register_may_exist(&one->tp, probe, data);
		if (ret) {
			marker_unregister_until(marker->event->markers, one, probe, data);
			goto unlock;
		}
	}
unlock:
	mutex_unlock(&marker_mutex);
	return ret;
}

/**
 * marker_probe_unregister - unregister a probe at all markers of an event
 * @marker: as of marker_probe_register()
 * @probe: as of marker_probe_register()
 * @data: as of marker_probe_register()
 *
 * The probe may still be running until tracepoint_synchronize_unregister() has returned.
 *
 * Context: may sleep.
 * Return: 0 or -ENOENT.
 */
int marker_probe_unregister(struct marker *marker, marker_probe_fn *probe, void *data)
{
	int ret = -ENOENT;

	mutex_lock(&marker_mutex);
	if (marker->event) {
		marker_unregister_until(marker->event->markers, NULL, probe, data);
		ret = 0;
	}
	mutex_unlock(&marker_mutex);
	return ret;
}

static int marker_event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct marker *marker = container_of(call, struct marker_event, call)->markers;

	switch (type) {
	case TRACE_REG_REGISTER:
		return marker_probe_register(marker, marker_probe_ftrace, data);
	case TRACE_REG_UNREGISTER:
		return marker_probe_unregister(marker, marker_probe_ftrace, data);
//+ perf
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return marker_probe_register(marker, marker_probe_perf, call);
	case TRACE_REG_PERF_UNREGISTER:
		return marker_probe_unregister(marker, marker_probe_perf, call);
#endif
//.
	default:
		return 0;
	}
}

/*
 * Events: markers that are added.
 */

static u32 marker_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static struct marker_event *marker_event_find(const char *name)
{
	struct marker_event *event;

	hash_for_each_possible(marker_events, event, node, marker_hash(name))
		if (!strcmp(event->name, name))
			return event;
	return NULL;
}

/* Return true if another kind of event has the name. */
static bool marker_event_is_taken(const struct marker_event *event)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &ftrace_events, list)
		if (!strcmp(call->class->system, event->system) &&
		    !strcmp(trace_event_name(call), event->tp.name))
			return true;
	return false;
}

static void marker_event_free(struct marker_event *event)
{
	kfree(event->call.print_fmt);
	kfree(event->system);
	kfree(event->name);
	kfree(event->definitions);
	kfree(event->text);
	kfree(event);
}

static int marker_event_make(struct marker_event *event, struct marker *marker)
{
	int ret = marker_parse(event, marker);

	if (ret) {
		if (ret == -EINVAL)
			pr_err("%s (%s:%u) is refused: arguments and conversions differ: \"%s\"\n",
			       marker->tp.name, marker->file, marker->line, event->why);
		return ret;
	}
	ret = marker_define(event);
	if (ret)
		return ret;
	event->name = kstrdup(marker->tp.name, GFP_KERNEL);
	event->system = kmemdup_nul(marker->tp.name,
				    marker_name(marker) - marker->tp.name - 1, GFP_KERNEL);
	event->call.print_fmt = marker_print_fmt(event, marker);
	if (!event->name || !event->system || !event->call.print_fmt)
		return -ENOMEM;
	event->tp.name = strchr(event->name, ':') + 1;
	if (marker_event_is_taken(event)) {
		pr_err("%s (%s:%u) is refused: there is another event of this name\n",
		       marker->tp.name, marker->file, marker->line);
		return -EINVAL;
	}
	event->class.system = event->system;
	event->class.reg = marker_event_reg;
	event->class.raw_init = trace_event_raw_init;
	event->class.fields_array = event->definitions;
	INIT_LIST_HEAD(&event->class.fields);
	event->functions.trace = marker_print;
	event->call.class = &event->class;
	event->call.tp = &event->tp;
	event->call.event.funcs = &event->functions;
	event->call.flags = TRACE_EVENT_FL_TRACEPOINT;
	event->markers = marker;
	return 0;
}

/* @module is NULL for a marker of vmlinux. */
static int marker_event_add(struct marker *marker, struct module *module)
{
	struct marker_event *event;
	int ret;

	event = kzalloc(struct_size(event, field, marker->nr_args), GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	ret = marker_event_make(event, marker) ?: trace_add_event_call(&event->call);
	if (ret) {
		marker_event_free(event);
		return ret;
	}
	event->call.module = module;
	hash_add(marker_events, &event->node, marker_hash(event->name));
	mutex_lock(&marker_mutex);
	marker->event = event;
	mutex_unlock(&marker_mutex);
	return 0;
}

//+ fields
/* Return true if the values of two markers, whose fields are the same, have the same names. */
static bool marker_same_symbols(const struct marker *a, const struct marker *b)
{
	const struct trace_print_flags *s = a->symbols, *t = b->symbols;
	unsigned int i;

	for (i = 0; i < a->nr_args; i++) {
		if (marker_type(a, i) != MARKER_SYMBOL)
			continue;
		for (; s->name && t->name; s++, t++)
			if (s->mask != t->mask || strcmp(s->name, t->name))
				return false;
		if (s++->name || t++->name)
			return false;
	}
	return true;
}

//.
static struct tracepoint_func *marker_funcs(struct marker *marker)
{
	return rcu_dereference_protected(marker->tp.funcs, lockdep_is_held(&marker_mutex));
}

static void marker_unregister_all(struct marker *marker)
{
	struct tracepoint_func *funcs;
	unsigned int i = 0;

	/* Without memory the array stays, with a stub for the function, and the next one goes. */
	while ((funcs = marker_funcs(marker))) {
		tracepoint_probe_unregister(&marker->tp, funcs[i].func, funcs[i].data);
		i = marker_funcs(marker) == funcs ? i + 1 : 0;
	}
}

/* Add a marker to an event; it gets the probes that the others have. */
static int marker_join(struct marker_event *event, struct marker *marker)
{
	struct marker *first = event->markers;
	struct tracepoint_func *func;
	int ret = 0;

	if (marker->types != first->types || strcmp(marker->format, first->format)) {
		pr_err("%s (%s:%u) is refused: expected \"%s\" with types %llx, as at %s:%u, found \"%s\" with types %llx\n",
		       marker->tp.name, marker->file, marker->line, first->format,
		       first->types, first->file, first->line, marker->format, marker->types);
		return -EINVAL;
	}
//+ fields
	if (!marker_same_symbols(first, marker)) {
		pr_err("%s (%s:%u) is refused: its values have other names than at %s:%u\n",
		       marker->tp.name, marker->file, marker->line, first->file, first->line);
		return -EINVAL;
	}
//.
	mutex_lock(&marker_mutex);
	for (func = marker_funcs(first); !ret && func && func->func; func++)
		ret = tracepoint_probe_register(&marker->tp, func->func, func->data);
	if (ret) {
		marker_unregister_all(marker);
	} else {
		marker->event = event;
		marker->next = first->next;
		first->next = marker;
	}
	mutex_unlock(&marker_mutex);
	return ret;
}

/* Locks: event_mutex.  One marker that is refused does not concern the others. */
static void marker_add(struct marker *marker, struct module *module)
{
	struct marker_event *event = marker_event_find(marker->tp.name);
	int ret = event ? marker_join(event, marker) : marker_event_add(marker, module);

	if (ret && ret != -EINVAL)
		pr_err("%s (%s:%u): error %d\n", marker->tp.name, marker->file,
		       marker->line, ret);
	/* bpf_get_raw_tracepoint(), which searches by name, must not find it. */
	if (ret)
		marker->tp.name = ":";
}

static int marker_order(const void *a, const void *b)
{
	const struct marker *const *x = a, *const *y = b;

	return strcmp((*x)->file, (*y)->file) ?: (*x)->line - (*y)->line;
}

/*
 * Add markers in the order of the source, because the first of a name says what the others
 * have to be like, and the order of the table differs between compilers.  Without memory to
 * sort them they are added in the order of the table.
 */
static void marker_add_all(struct marker *markers, unsigned int nr, struct module *module)
{
	struct marker **sorted = kvmalloc_array(nr, sizeof(*sorted), GFP_KERNEL);
	unsigned int i;

	lockdep_assert_held(&event_mutex);
	for (i = 0; sorted && i < nr; i++)
		sorted[i] = &markers[i];
	if (sorted)
		sort(sorted, nr, sizeof(*sorted), marker_order, NULL);
	for (i = 0; i < nr; i++)
		marker_add(sorted ? sorted[i] : &markers[i], module);
	kvfree(sorted);
}

extern struct marker __start___markers[], __stop___markers[];

/* Make the events of vmlinux, before the events of the command line are enabled. */
void __init marker_init(void)
{
	mutex_lock(&event_mutex);
	marker_add_all(__start___markers, __stop___markers - __start___markers, NULL);
	mutex_unlock(&event_mutex);
}
//+ modules

#ifdef CONFIG_MODULES

static HLIST_HEAD(marker_dead);		/* events whose module is going */

static struct module *marker_module(struct marker *marker)
{
	struct module *module;

	preempt_disable();
	module = __module_address((unsigned long)marker);
	preempt_enable();
	return module;
}

/*
 * Locks: event_mutex, trace_event_sem.  The last marker of an event stays with the event, which
 * is removed as the others of the module are.
 */
static void marker_remove(struct marker *marker)
{
	struct marker_event *event = marker->event;
	struct marker **link;

	if (!event)
		return;
	if (event->markers == marker && !marker->next) {
		hash_del(&event->node);
		hlist_add_head(&event->node, &marker_dead);
		return;
	}
	mutex_lock(&marker_mutex);
	marker_unregister_all(marker);
	for (link = &event->markers; *link != marker; link = &(*link)->next)
		;
	*link = marker->next;
	marker->event = NULL;
	event->call.module = marker_module(event->markers);
	mutex_unlock(&marker_mutex);
}

/* Make the events of a module, before those that the user has asked for are enabled. */
void marker_module_coming(struct module *module)
{
	if (!module->num_markers)
		return;
	if (trace_module_has_bad_taint(module))
		pr_err("%s: module has bad taint, not creating events of its markers\n",
		       module->name);
	else
		marker_add_all(module->markers, module->num_markers, module);
}

/* Detach the markers of a module, before its events are removed. */
void marker_module_going(struct module *module)
{
	unsigned int i;

	lockdep_assert_held(&event_mutex);
	if (!module->num_markers)
		return;
	/* For marker_print(), which looks at the first marker of an event. */
	down_write(&trace_event_sem);
	for (i = 0; i < module->num_markers; i++)
		marker_remove(&module->markers[i]);
	up_write(&trace_event_sem);
}

/* Free the events of a module, after they have been removed. */
void marker_module_gone(struct module *module)
{
	struct marker_event *event;
	struct hlist_node *next;

	lockdep_assert_held(&event_mutex);
	if (!module->num_markers)
		return;
	tracepoint_synchronize_unregister();
	hlist_for_each_entry_safe(event, next, &marker_dead, node) {
		hlist_del(&event->node);
		marker_event_free(event);
	}
}

#endif /* CONFIG_MODULES */
//.
//+ docs

#ifdef CONFIG_MARKERS_KUNIT_TEST
#include "trace_events_mark_kunit.c"
#endif
//.
