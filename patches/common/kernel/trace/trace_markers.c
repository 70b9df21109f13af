// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace events of markers, which are made from their formats: what TRACE_EVENT() has the
 * compiler generate is done here by walking over the fields of an event.
 *
 * Not here: MARK() (include/linux/marker.h), and the locking and patching of the
 * tracepoints (kernel/tracepoint.c).
 *
 * Locks: event_mutex for the events, and marker_mutex, which is taken under it, for the
 * markers of an event and who is registered at them.
 */
#define pr_fmt(fmt) "markers: " fmt

#include <linux/bpf.h>
#include <linux/ctype.h>
#include <linux/hashtable.h>
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "trace.h"
#include "trace_markers.h"
#include "trace_output.h"

/* Bytes of the longest text that an event takes, with its end, and of the longest name. */
#define MARKER_TEXT_MAX		256
#define MARKER_NAME_MAX		32
#define MARKER_BYTES_MAX	64

enum marker_field_kind {
	MARKER_FIELD_NUMBER,
	MARKER_FIELD_TEXT,	/* __data_loc */
	MARKER_FIELD_BYTES,	/* an array */
	MARKER_FIELD_SYMBOL,	/* an s32 */
};

/* The strings are in the text of the event. */
struct marker_field {
	const char *name;
	const char *c_type;
	const char *print;	/* the text up to the end of the conversion */
	u8 kind;
	u8 type;		/* enum marker_type */
	u8 vararg;		/* bytes of the number that the conversion takes */
	u16 width;		/* of a text: the most characters, or 0 */
	u16 size;		/* in the record */
	u16 offset;
};

struct marker_event {
	struct trace_event_call call;
	struct trace_event_class class;
	struct trace_event_functions functions;
	struct tracepoint tp;	/* is never passed: has the name, for call.tp */
	struct hlist_node node;	/* in marker_events by name, or in marker_dead */
	struct marker *markers;
	struct trace_event_fields *definitions;
	char *text;
	const char *end;	/* the text behind the last conversion */
	unsigned int size;	/* of a record without texts */
	unsigned int nr_fields;
	bool has_texts;
	struct marker_field field[];
};

static DEFINE_MUTEX(marker_mutex);
static DEFINE_HASHTABLE(marker_events, 8);

/* As C has them, since tools compile a struct of the fields. */
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
	[MARKER_SYMBOL] = { "int", 4, true },
};

static_assert(sizeof(struct marker_entry) == sizeof(struct trace_entry));

static unsigned int marker_type(const struct marker *marker, unsigned int arg)
{
	return arg < MARKER_ARGS_MAX ? marker->types >> (4 * arg) & 15 : MARKER_NONE;
}

static unsigned int marker_nr_symbols(const struct trace_print_flags *symbols)
{
	unsigned int n = 0;

	while (symbols[n].name)
		n++;
	return n;
}

static unsigned int marker_nr_args(const struct marker *marker)
{
	unsigned int n = 0;

	while (marker_type(marker, n))
		n++;
	return n;
}

static const char *marker_name(const struct marker *marker)
{
	return marker->tp.name + strlen(MARKER_PREFIX);
}

/*
 * The call of a marker.
 */

/* @ip is that of the code with the marker. */
static __always_inline void marker_run(const struct marker *marker, unsigned long ip,
				       const u64 *args)
{
	typeof(marker_walk_lock()) lock;
	struct tracepoint_func *func;

	/* tracepoint_synchronize_unregister() waits for it, where RCU does. */
	if (!rcu_is_watching())
		return;
	lock = marker_walk_lock();
	func = rcu_dereference_raw(marker->tp.funcs);
	for (; func && func->func; func++)
		((marker_probe_fn *)READ_ONCE(func->func))(func->data, marker, ip, args);
	marker_walk_unlock(lock);
}

void marker_call_0(const struct marker *marker)
{
	marker_run(marker, _RET_IP_, NULL);
}
EXPORT_SYMBOL_GPL(marker_call_0);

#define MARKER_CALL(n, params, ...)					\
void marker_call_##n(const struct marker *marker, params)		\
{									\
	u64 args[] = { __VA_ARGS__ };					\
									\
	marker_run(marker, _RET_IP_, args);				\
}									\
EXPORT_SYMBOL_GPL(marker_call_##n)

MARKER_CALL(1, PARAMS(u64 a), a);
MARKER_CALL(2, PARAMS(u64 a, u64 b), a, b);
MARKER_CALL(3, PARAMS(u64 a, u64 b, u64 c), a, b, c);
MARKER_CALL(4, PARAMS(u64 a, u64 b, u64 c, u64 d), a, b, c, d);
MARKER_CALL(5, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e), a, b, c, d, e);
MARKER_CALL(6, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f), a, b, c, d, e, f);
MARKER_CALL(7, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g),
	    a, b, c, d, e, f, g);
MARKER_CALL(8, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h),
	    a, b, c, d, e, f, g, h);
MARKER_CALL(9, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i),
	    a, b, c, d, e, f, g, h, i);
MARKER_CALL(10, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h,
		       u64 i, u64 j), a, b, c, d, e, f, g, h, i, j);
MARKER_CALL(11, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h,
		       u64 i, u64 j, u64 k), a, b, c, d, e, f, g, h, i, j, k);
MARKER_CALL(12, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h,
		       u64 i, u64 j, u64 k, u64 l), a, b, c, d, e, f, g, h, i, j, k, l);

/*
 * Records.
 */

/* Texts of one record: what each takes, with its end, and copies of as many as fit. */
struct marker_texts {
	char *copies;
	unsigned int room;
	unsigned int sum;
	u16 sizes[MARKER_ARGS_MAX];
};

/* For the copies of a task, and of a softirq, an interrupt and an NMI on top of it. */
static DEFINE_PER_CPU(char [4][MARKER_TEXT_MAX], marker_copies);
static DEFINE_PER_CPU(unsigned int, marker_depth);

static unsigned int marker_text_limit(const struct marker_field *field)
{
	return field->width ? field->width + 1 : MARKER_TEXT_MAX;
}

/* Copies a text, which may be gone or no text at all.  Returns its size, up to @size. */
static unsigned int marker_copy_text(char *to, u64 arg, unsigned int size)
{
	const char *from = (const char *)(unsigned long)arg;
	long ret = from ? strncpy_from_kernel_nofault(to, from, size) : 0;

	if (ret <= 0)
		ret = strscpy(to, from ? "(fault)" : "(null)", size) + 1;
	return ret > 0 ? ret : size;
}

/* Apart, for the stack. */
static noinline unsigned int marker_text_size(const struct marker_field *field, u64 arg)
{
	char text[MARKER_TEXT_MAX];

	return marker_copy_text(text, arg, marker_text_limit(field));
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
	for (; field < end; field++, args++) {
		unsigned int limit = marker_text_limit(field);
		unsigned int size = 0, room = 0;

		if (field->kind != MARKER_FIELD_TEXT)
			continue;
		if (texts->sum < texts->room) {
			room = min(limit, texts->room - texts->sum);
			size = marker_copy_text(texts->copies + texts->sum, *args, room);
		}
		if (size == room && room < limit)
			size = marker_text_size(field, *args);
		*sizes++ = size;
		texts->sum += size;
	}
}

/* With preemption disabled until marker_forget(). */
static void marker_measure(const struct marker_event *event, const u64 *args,
			   struct marker_texts *texts)
{
	texts->sum = 0;
	if (event->has_texts)
		marker_copy_texts(event, args, texts);
}

static void marker_forget(const struct marker_event *event)
{
	barrier();	/* the copies are not needed any more */
	if (event->has_texts)
		this_cpu_dec(marker_depth);
}

static void marker_fill(const struct marker_event *event, void *record, const u64 *args,
			const struct marker_texts *texts)
{
	const struct marker_field *field = event->field, *end = field + event->nr_fields;
	const u16 *sizes = texts->sizes;
	unsigned int sum = 0;

	for (; field < end; field++, args++) {
		void *to = record + field->offset;

		if (field->kind == MARKER_FIELD_TEXT) {
			unsigned int size = *sizes++, start = event->size + sum, copied = size;

			if (sum + size <= texts->room)
				memcpy(record + start, texts->copies + sum, size);
			else	/* It may have become shorter. */
				copied = marker_copy_text(record + start, *args, size);
			memset(record + start + copied - 1, 0, size - copied + 1);
			*(u32 *)to = size << 16 | start;
			sum += size;
		} else if (field->kind == MARKER_FIELD_BYTES) {
			if (copy_from_kernel_nofault(to, (void *)(unsigned long)*args,
						     field->size))
				memset(to, 0, field->size);
		} else if (field->size == 8) {
			*(u64 *)to = *args;
		} else if (field->size == 4) {
			*(u32 *)to = *args;
		} else if (field->size == 2) {
			*(u16 *)to = *args;
		} else {
			*(u8 *)to = *args;
		}
	}
}

static void marker_probe_ftrace(void *data, const struct marker *marker, unsigned long ip,
				const u64 *args)
{
	struct trace_event_file *file = data;
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
		marker_fill(event, record, args, &texts);
	marker_forget(event);
	if (record)
		trace_event_buffer_commit(&buffer);
	marker_probe_unlock();
}

#ifdef CONFIG_PERF_EVENTS
static void marker_probe_perf(void *data, const struct marker *marker, unsigned long ip,
			      const u64 *args)
{
	struct trace_event_call *call = data;
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
		marker_fill(event, record, args, &texts);
	marker_forget(event);
	if (!record)
		goto unlock;
	perf_arch_fetch_caller_regs(regs, ip);
	perf_trace_run_bpf_submit(record, size, context, call, 1, regs, head, NULL);
unlock:
	marker_probe_unlock();
}
#endif

#ifdef CONFIG_BPF_EVENTS
/* A raw tracepoint: the program has the arguments as they are. */
void marker_probe_bpf(void *data, const struct marker *marker, unsigned long ip,
		      const u64 *args)
{
	switch (marker_nr_args(marker)) {
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
	const struct trace_print_flags *symbols = event->markers->symbols;
	int ret = trace_raw_output_prep(iter, trace_event);
	unsigned int i, nr;

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	for (i = 0; i < event->nr_fields; i++) {
		const struct marker_field *field = &event->field[i];
		void *from = (void *)iter->ent + field->offset;

		switch (field->kind) {
		case MARKER_FIELD_TEXT:
			trace_event_printf(iter, field->print,
					   (void *)iter->ent + (*(u32 *)from & 0xffff));
			break;
		case MARKER_FIELD_BYTES:
			trace_event_printf(iter, field->print, from);
			break;
		case MARKER_FIELD_SYMBOL:
			nr = marker_nr_symbols(symbols);
			trace_event_printf(iter, field->print,
					   marker_print_symbol(&iter->tmp_seq, *(s32 *)from,
							       symbols, nr));
			symbols += nr + 1;
			break;
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

/* A conversion that is refused; says why. */
static int marker_refuse(const struct marker *marker, const char *why, const char *what)
{
	pr_err("%s (%s:%u) is refused: %s: \"%s\"\n", marker_name(marker), marker->file,
	       marker->line, why, what);
	return -EINVAL;
}

/* What "%p" and the letters behind it, at @s, have in the record. */
static int marker_parse_pointer(struct marker_field *field, const char *s, unsigned int width)
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
		return -EINVAL;
	return 0;
}

/*
 * The conversion at the '%' of @s, for an argument of @type.  Returns what is behind it, or
 * NULL: it cannot be recorded.
 */
static const char *marker_parse_conversion(struct marker_field *field, const char *s,
					   unsigned int type)
{
	unsigned int width = 0, precision = 0, longs = 0;

	field->type = type;
	field->kind = MARKER_FIELD_NUMBER;
	field->size = marker_types[type].size;
	for (s++; *s && strchr("-+ #0", *s); s++)
		;
	for (; isdigit(*s); s++)
		width = min(10 * width + *s - '0', 10000u);
	if (*s == '.')
		for (s++; isdigit(*s); s++)
			precision = min(10 * precision + *s - '0', MARKER_TEXT_MAX - 1u);
	for (; *s == 'h'; s++)
		;
	for (; *s == 'l' || *s == 'z' || *s == 't' || *s == 'j' || *s == 'L'; s++)
		longs += *s == 'j' || *s == 'L' ? 2 : 1;
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
		field->kind = MARKER_FIELD_TEXT;
		field->size = sizeof(u32);
		field->width = precision;
		return type == MARKER_STR || type == MARKER_PTR ? s + 1 : NULL;
	case 'p':
		field->vararg = sizeof(long);
		if (type < MARKER_STR || marker_parse_pointer(field, s + 1, width))
			return NULL;
		for (s++; isalnum(*s); s++)
			;
		if (type == MARKER_SYMBOL)
			field->kind = MARKER_FIELD_SYMBOL;
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

/*
 * The name before the "=" that ends at @s, not before @start, where no other field has it; goes
 * to @to.  Returns what is behind it, or NULL: there is no name left.
 */
static char *marker_parse_name(struct marker_event *event, const char *start, const char *s,
			       char *to)
{
	const char *from = s;

	event->field[event->nr_fields].name = to;
	if (s > start && *--s == '=')
		for (from = s; from > start && (isalnum(from[-1]) || from[-1] == '_'); from--)
			;
	sprintf(to, "%.*s", from < s ? (int)(s - from) : 0, from);
	if (!*to || strlen(to) >= MARKER_NAME_MAX || isdigit(*to) ||
	    !strncmp(to, "common_", 7) || marker_has_field(event, to)) {
		sprintf(to, "arg%u", event->nr_fields);
		if (marker_has_field(event, to))
			return NULL;
	}
	return to + strlen(to) + 1;
}

/* Cuts the format into pieces, each with one conversion, and finds the fields. */
static int marker_parse(struct marker_event *event, const struct marker *marker)
{
	const char *s, *behind, *start, *format = skip_spaces(marker->format);
	unsigned int offset = sizeof(struct trace_entry);
	/* Twice: in pieces and as names.  And for each ends, "arg11", "unsigned char[64]". */
	char *to = kzalloc(2 * strlen(format) + 1 + 28 * marker_nr_args(marker), GFP_KERNEL);

	event->text = to;
	if (!to)
		return -ENOMEM;
	event->end = to;
	start = format;
	for (s = format; *s; s = behind) {
		struct marker_field *field = &event->field[event->nr_fields];
		unsigned int type = marker_type(marker, event->nr_fields);

		if (s[0] != '%' || s[1] == '%') {
			behind = s + (s[0] == '%' ? 2 : 1);
			for (; s < behind; s++)
				*to++ = iscntrl(*s) ? ' ' : *s;
			continue;
		}
		if (!type)
			return marker_refuse(marker, "more conversions than arguments", s);
		behind = marker_parse_conversion(field, s, type);
		if (!behind)
			return marker_refuse(marker, "no event can have this conversion", s);
		if (field->kind == MARKER_FIELD_SYMBOL)
			to += sprintf(to, "%%s") + 1;
		else
			to += sprintf(to, "%.*s", (int)(behind - s), s) + 1;
		field->print = event->end;
		to = marker_parse_name(event, start, s, to);
		if (!to)
			return marker_refuse(marker, "two fields have one name", s);
		start = behind;
		field->c_type = marker_types[type].name;
		if (field->kind == MARKER_FIELD_TEXT) {
			field->c_type = "__data_loc char[]";
			event->has_texts = true;
		}
		if (field->kind == MARKER_FIELD_BYTES) {
			field->c_type = to;
			to += sprintf(to, "unsigned char[%u]", field->size) + 1;
		} else {
			offset = ALIGN(offset, field->size);
		}
		event->end = to;
		field->offset = offset;
		offset += field->size;
		event->nr_fields++;
	}
	if (event->nr_fields < marker_nr_args(marker))
		return marker_refuse(marker, "more arguments than conversions", format);
	event->size = ALIGN(offset, sizeof(u32));
	return 0;
}

static const struct trace_event_fields marker_nothing = {
	.type = "char[0]", .name = "nothing", .align = 1, .filter_type = FILTER_OTHER,
};

/*
 * As those of TRACE_EVENT(): the core computes the same offsets from them.  It takes what BPF may
 * read from the last, so there is one without arguments, too.
 */
static int marker_define(struct marker_event *event)
{
	unsigned int i;

	event->definitions = kcalloc(event->nr_fields + 2, sizeof(*event->definitions),
				     GFP_KERNEL);
	if (!event->definitions)
		return -ENOMEM;
	if (!event->nr_fields)
		memcpy(event->definitions, &marker_nothing, sizeof(marker_nothing));
	for (i = 0; i < event->nr_fields; i++) {
		const struct marker_field *field = &event->field[i];
		bool is_text = field->kind == MARKER_FIELD_TEXT;
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

		/* Its members are constant. */
		memcpy(&event->definitions[i], &definition, sizeof(definition));
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

/* A conversion as libtraceevent knows it: it has no %c, and not these flags. */
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

static void marker_describe(struct seq_buf *to, const struct marker_field *field,
			    const struct trace_print_flags **symbols)
{
	unsigned int bits = 8 * field->size;

	if (field->kind == MARKER_FIELD_TEXT) {
		seq_buf_printf(to, ", __get_str(%s)", field->name);
	} else if (marker_is_hex(field)) {
		seq_buf_printf(to, ", __print_hex(REC->%s, %u)", field->name, field->size);
	} else if (field->kind == MARKER_FIELD_SYMBOL) {
		const struct trace_print_flags *symbol = *symbols;

		seq_buf_printf(to, ", __print_symbolic(REC->%s", field->name);
		for (; symbol->name; symbol++)
			seq_buf_printf(to, ", { 0x%x, \"%s\" }", (u32)symbol->mask,
				       symbol->name);
		seq_buf_putc(to, ')');
		*symbols = symbol + 1;
	} else if (field->type == MARKER_S8 || field->type == MARKER_S16) {
		/* libtraceevent extends no sign below an int. */
		seq_buf_printf(to, ", REC->%s > %lu ? REC->%s - %lu : REC->%s", field->name,
			       BIT(bits - 1) - 1, field->name, BIT(bits), field->name);
	} else {
		seq_buf_printf(to, ", REC->%s", field->name);
	}
}

static char *marker_print_fmt(const struct marker_event *event, const struct marker *marker)
{
	const struct trace_print_flags *symbols = marker->symbols;
	char *print_fmt, *buffer = kmalloc(PAGE_SIZE, GFP_KERNEL);
	struct seq_buf to;
	unsigned int i;

	if (!buffer)
		return ERR_PTR(-ENOMEM);
	seq_buf_init(&to, buffer, PAGE_SIZE - 1);
	seq_buf_putc(&to, '"');
	for (i = 0; i < event->nr_fields; i++)
		marker_quote_field(&to, &event->field[i]);
	marker_quote(&to, event->end, event->end + strlen(event->end));
	seq_buf_putc(&to, '"');
	for (i = 0; i < event->nr_fields; i++)
		marker_describe(&to, &event->field[i], &symbols);
	if (seq_buf_has_overflowed(&to))
		print_fmt = ERR_PTR(marker_refuse(marker, "too long a format", marker->format));
	else
		print_fmt = kmemdup_nul(buffer, to.len, GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
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
 * marker_probe_register - registers a probe at all markers of an event
 * @marker: one of them
 * @probe: the probe
 * @data: its first argument
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
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	if (marker->syscall)
		syscall_regfunc();
#endif
unlock:
	mutex_unlock(&marker_mutex);
	return ret;
}

/**
 * marker_probe_unregister - the reverse
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
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
		if (marker->syscall)
			syscall_unregfunc();
#endif
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
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return marker_probe_register(marker, marker_probe_perf, call);
	case TRACE_REG_PERF_UNREGISTER:
		return marker_probe_unregister(marker, marker_probe_perf, call);
#endif
	default:
		return 0;
	}
}

/*
 * Events: markers coming and going.
 */

static u32 marker_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static struct marker_event *marker_event_find(const char *name)
{
	struct marker_event *event;

	hash_for_each_possible(marker_events, event, node, marker_hash(name))
		if (!strcmp(event->tp.name, name))
			return event;
	return NULL;
}

static void marker_event_free(struct marker_event *event)
{
	kfree(event->call.print_fmt);
	kfree(event->tp.name);
	kfree(event->definitions);
	kfree(event->text);
	kfree(event);
}

static int marker_event_make(struct marker_event *event, struct marker *marker)
{
	int ret = marker_parse(event, marker) ?: marker_define(event);

	if (ret)
		return ret;
	event->tp.name = kstrdup(marker_name(marker), GFP_KERNEL);
	if (!event->tp.name)
		return -ENOMEM;
	event->call.print_fmt = marker_print_fmt(event, marker);
	if (IS_ERR(event->call.print_fmt)) {
		ret = PTR_ERR(event->call.print_fmt);
		event->call.print_fmt = NULL;
		return ret;
	}
	event->class.system = MARKER_SYSTEM;
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

static int marker_event_add(struct marker *marker, struct module *module)
{
	struct marker_event *event;
	int ret;

	event = kzalloc(struct_size(event, field, marker_nr_args(marker)), GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	ret = marker_event_make(event, marker) ?: trace_add_event_call(&event->call);
	if (ret) {
		marker_event_free(event);
		return ret;
	}
	event->call.module = module;
	hash_add(marker_events, &event->node, marker_hash(event->tp.name));
	mutex_lock(&marker_mutex);
	marker->event = event;
	mutex_unlock(&marker_mutex);
	return 0;
}

/* Whether the values of two markers, whose fields are the same, have the same names. */
static bool marker_same_symbols(const struct marker *a, const struct marker *b)
{
	const struct trace_print_flags *s = a->symbols, *t = b->symbols;
	unsigned int i;

	for (i = 0; i < MARKER_ARGS_MAX; i++) {
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

static struct tracepoint_func *marker_funcs(struct marker *marker)
{
	return rcu_dereference_protected(marker->tp.funcs, lockdep_is_held(&marker_mutex));
}

static void marker_unregister_all(struct marker *marker)
{
	struct tracepoint_func *func;

	while ((func = marker_funcs(marker)))
		tracepoint_probe_unregister(&marker->tp, func->func, func->data);
}

/* Another marker of an event gets what the others have. */
static int marker_join(struct marker_event *event, struct marker *marker)
{
	struct marker *first = event->markers;
	struct tracepoint_func *func;
	int ret = 0;

	if (marker->types != first->types || strcmp(marker->format, first->format)) {
		pr_err("%s (%s:%u) is refused: expected \"%s\" with types %llx, as at %s:%u, found \"%s\" with types %llx\n",
		       marker_name(marker), marker->file, marker->line, first->format,
		       first->types, first->file, first->line, marker->format, marker->types);
		return -EINVAL;
	}
	if (!marker_same_symbols(first, marker)) {
		pr_err("%s (%s:%u) is refused: its values have other names than at %s:%u\n",
		       marker_name(marker), marker->file, marker->line, first->file, first->line);
		return -EINVAL;
	}
	if (marker->syscall != first->syscall) {
		pr_err("%s (%s:%u) is refused: of it and that at %s:%u one is a MARK_SYSCALL()\n",
		       marker_name(marker), marker->file, marker->line, first->file, first->line);
		return -EINVAL;
	}
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

/* Locks: event_mutex.  What is refused is refused alone. */
static void marker_add(struct marker *marker, struct module *module)
{
	struct marker_event *event = marker_event_find(marker_name(marker));
	int ret = event ? marker_join(event, marker) : marker_event_add(marker, module);

	if (ret && ret != -EINVAL)
		pr_err("%s (%s:%u): error %d\n", marker_name(marker), marker->file,
		       marker->line, ret);
	/* bpf_get_raw_tracepoint() is to find one that has an event. */
	if (ret)
		marker->tp.name = MARKER_PREFIX;
}

static int marker_order(const void *a, const void *b)
{
	const struct marker *const *x = a, *const *y = b;

	return strcmp((*x)->file, (*y)->file) ?: (*x)->line - (*y)->line;
}

/*
 * In the order of the source, which is not that of the table with each compiler: the first
 * of a name says what the others have to be like.  Without memory, as they are.
 */
static void marker_add_all(struct marker *markers, unsigned int nr, struct module *module)
{
	struct marker **sorted = kvmalloc_array(nr, sizeof(*sorted), GFP_KERNEL);
	unsigned int i;

	for (i = 0; sorted && i < nr; i++)
		sorted[i] = &markers[i];
	if (sorted)
		sort(sorted, nr, sizeof(*sorted), marker_order, NULL);
	for (i = 0; i < nr; i++)
		marker_add(sorted ? sorted[i] : &markers[i], module);
	kvfree(sorted);
}

extern struct marker __start___markers[], __stop___markers[];

/* Before the events of the command line are enabled. */
void __init trace_markers_init(void)
{
	mutex_lock(&event_mutex);
	marker_add_all(__start___markers, __stop___markers - __start___markers, NULL);
	mutex_unlock(&event_mutex);
}

#ifdef CONFIG_MODULES

static HLIST_HEAD(marker_dead);		/* whose module is going */

static struct module *marker_module(struct marker *marker)
{
	struct module *module;

	preempt_disable();
	module = __module_address((unsigned long)marker);
	preempt_enable();
	return module;
}

/*
 * Locks: event_mutex, trace_event_sem.  The last marker of an event stays with it, and the
 * event is removed as others of the module are.
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

/* Before the notifier of trace_events.c, which removes the events of a module. */
static int markers_module_going(struct notifier_block *self, unsigned long state, void *data)
{
	struct module *module = data;
	unsigned int i;

	if (state != MODULE_STATE_GOING || !module->num_markers)
		return NOTIFY_DONE;
	mutex_lock(&event_mutex);
	/* For marker_print(), which looks at the first marker of an event. */
	down_write(&trace_event_sem);
	for (i = 0; i < module->num_markers; i++)
		marker_remove(&module->markers[i]);
	up_write(&trace_event_sem);
	mutex_unlock(&event_mutex);
	return NOTIFY_OK;
}

/* Behind it and that of jump labels. */
static int markers_module_changed(struct notifier_block *self, unsigned long state, void *data)
{
	struct module *module = data;
	struct marker_event *event;
	struct hlist_node *next;

	if (!module->num_markers)
		return NOTIFY_DONE;
	mutex_lock(&event_mutex);
	if (state == MODULE_STATE_COMING && trace_module_has_bad_taint(module))
		pr_err("%s: module has bad taint, its markers are no events\n", module->name);
	else if (state == MODULE_STATE_COMING)
		marker_add_all(module->markers, module->num_markers, module);
	if (state == MODULE_STATE_GOING) {
		tracepoint_synchronize_unregister();
		hlist_for_each_entry_safe(event, next, &marker_dead, node) {
			/* Two modules may be going at once. */
			if (event->call.module != module)
				continue;
			hlist_del(&event->node);
			marker_event_free(event);
		}
	}
	mutex_unlock(&event_mutex);
	return NOTIFY_OK;
}

static struct notifier_block markers_going_nb = {
	.notifier_call = markers_module_going,
	.priority = 2,
};

static struct notifier_block markers_changed_nb = {
	.notifier_call = markers_module_changed,
	.priority = -1,
};

static int __init markers_modules_init(void)
{
	return register_module_notifier(&markers_going_nb) ?:
	       register_module_notifier(&markers_changed_nb);
}
early_initcall(markers_modules_init);

#endif /* CONFIG_MODULES */
