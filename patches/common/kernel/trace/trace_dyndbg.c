// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace events of debug messages, which the flag "e" of dynamic debug asks for.
 *
 * An event is made from the descriptor of a site: the literal format says which fields the event
 * has.  The message is recorded by the function that would print it, so the site itself and its
 * static key are those of dynamic debug, and no site needs more memory until it has an event.
 *
 * Locks: event_mutex for all that is not the recording of a message.
 */
#include <linux/ctype.h>
#include <linux/dynamic_debug.h>
#include <linux/dynamic_debug_events.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include "trace.h"
#include "trace_dyndbg.h"
#include "trace_output.h"

/* Size of the largest record in bytes; longer texts are cut. */
#define DDEBUG_RECORD_MAX	1024
/* Number of records that one CPU may have begun: task, softirq, interrupt and NMI. */
#define DDEBUG_NESTING		4
/* Number of fields of an event, with those before the arguments. */
#define DDEBUG_FIELDS_MAX	40
/* Size of the longest conversion, and of the longest format that pr_fmt() may put before. */
#define DDEBUG_SPEC_MAX		24
#define DDEBUG_PREFIX_MAX	64
/* Size of the longest name of a field. */
#define DDEBUG_FIELD_NAME_MAX	32

enum ddebug_field_kind {
	DDEBUG_PREFIX,		/* what is printed before the message */
	DDEBUG_DEVICE,		/* name of the device */
	DDEBUG_INTERFACE,		/* name of the network interface */
	DDEBUG_NUMBER,
	DDEBUG_POINTER,		/* a pointer that printk() hashes */
	DDEBUG_STRING,		/* a string that is copied */
	DDEBUG_TEXT,		/* any other conversion, as printk() writes it */
};

enum ddebug_arg {
	DDEBUG_INT,
	DDEBUG_LONG,
	DDEBUG_LLONG,
	DDEBUG_ADDRESS,
};

/* A field of an event.  The strings are in the text of the event. */
struct ddebug_field {
	const char *name;
	const char *c_type;
	const char *print;	/* literal text of the format up to the end of the conversion */
	const char *spec;	/* conversion of a DDEBUG_TEXT */
	enum ddebug_field_kind kind;
	enum ddebug_arg arg;
	unsigned int halves;	/* number of "h" in the conversion */
	unsigned int stars;	/* arguments before the value: width and precision */
	int precision;		/* largest number of characters of a string, or -1 */
	bool has_width;
	bool is_signed;
	bool is_read;		/* printk() reads the memory that the pointer points to */
	unsigned int size;	/* bytes in the record */
	unsigned int offset;
};

struct ddebug_buffers {
	unsigned int depth;
	char data[DDEBUG_NESTING][DDEBUG_RECORD_MAX] __aligned(8);
};

struct ddebug_event {
	struct trace_event_call call;
	struct trace_event_class class;
	struct trace_event_functions functions;
	struct tracepoint tp;	/* has the name and the probes; no code belongs to its key */
	struct _ddebug *descriptor;
	struct ddebug_buffers __percpu *buffers;
	struct trace_event_fields *definitions;
	char *text;
	const char *end;	/* literal text behind the last conversion */
	size_t format_len;
	struct list_head dead;	/* among the events whose module is going */
	unsigned int users;	/* number of probes */
	bool is_wanted;		/* the site has the flag "e" */
	bool is_on;		/* the event holds the static key of the site */
	unsigned int size;	/* bytes of a record without texts */
	unsigned int nr_fields;
	struct ddebug_field field[];
};

/* A record while it is made. */
struct ddebug_record {
	char *data;		/* begins with room for a struct trace_entry */
	unsigned int size;
	unsigned long ip;
};

typedef void ddebug_probe_fn(void *data, const struct ddebug_event *event,
			     const struct ddebug_record *record);

static DEFINE_XARRAY_ALLOC1(ddebug_events);
static struct ddebug_buffers __percpu *ddebug_buffers;

/*
 * The formats.
 */

/* Find out how to record the value of "%p" and the letters at @s behind it. */
static void ddebug_parse_pointer(struct ddebug_field *field, const char *s)
{
	field->arg = DDEBUG_ADDRESS;
	field->size = sizeof(long);
	if (!isalnum(*s)) {
		field->kind = DDEBUG_POINTER;
	} else if (*s == 'x') {
		field->kind = DDEBUG_NUMBER;
	} else {
		field->kind = DDEBUG_TEXT;
		field->is_read = !strchr("SsBKe", *s);
	}
}

/*
 * Find out how to record the conversion at @s, which is a '%'.  Return the text behind the
 * conversion, or NULL if printk() does not know the conversion.
 */
static const char *ddebug_parse(struct ddebug_field *field, const char *s)
{
	const char *start = s;
	unsigned int longs = 0;

	*field = (struct ddebug_field){ .kind = DDEBUG_NUMBER, .precision = -1 };
	for (s++; *s && strchr("-+ #0", *s); s++)
		;
	field->has_width = isdigit(*s) || *s == '*';
	for (; isdigit(*s) || *s == '*'; s++)
		field->stars += *s == '*';
	if (*s == '.') {
		field->precision = 0;
		for (s++; isdigit(*s) || *s == '*'; s++) {
			field->stars += *s == '*';
			if (isdigit(*s))
				field->precision = min(10 * field->precision + *s - '0',
						       DDEBUG_RECORD_MAX);
		}
	}
	for (; *s == 'h'; s++)
		field->halves++;
	for (; *s && strchr("lLzt", *s); s++)
		longs += *s == 'L' ? 2 : 1;
	field->arg = longs > 1 ? DDEBUG_LLONG : longs ? DDEBUG_LONG : DDEBUG_INT;
	field->size = longs > 1 ? sizeof(long long) : longs ? sizeof(long) : sizeof(int);
	switch (*s++) {
	case 'd':
	case 'i':
		field->is_signed = true;
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		break;
	case 'c':
		field->kind = DDEBUG_TEXT;
		break;
	case 's':
		field->kind = DDEBUG_STRING;
		field->arg = DDEBUG_ADDRESS;
		field->is_read = true;
		break;
	case 'p':
		ddebug_parse_pointer(field, s);
		while (isalnum(*s))
			s++;
		break;
	default:
		return NULL;
	}
	if (field->stars)
		field->kind = DDEBUG_TEXT;
	if (field->kind >= DDEBUG_STRING) {
		field->size = sizeof(u32);
		field->is_signed = true;
	}
	return s - start < DDEBUG_SPEC_MAX ? s : NULL;
}

/* Return the next conversion of a format, or NULL if there is none. */
static const char *ddebug_next(const char *s)
{
	for (s = strchr(s, '%'); s && s[1] == '%'; s = strchr(s + 2, '%'))
		;
	return s;
}

/* Return the number of conversions of a format, or -EINVAL. */
static int ddebug_count(const char *format)
{
	struct ddebug_field field;
	int n = 0;

	for (format = ddebug_next(format); format; format = ddebug_next(format)) {
		format = ddebug_parse(&field, format);
		if (!format)
			return -EINVAL;
		n++;
	}
	return n;
}

/*
 * Records.
 */

static void ddebug_skip_value(const struct ddebug_field *field, va_list *args)
{
	unsigned int i;

	for (i = 0; i < field->stars; i++)
		va_arg(*args, int);
	if (field->arg == DDEBUG_INT)
		va_arg(*args, int);
	else if (field->arg == DDEBUG_LONG)
		va_arg(*args, long);
	else if (field->arg == DDEBUG_LLONG)
		va_arg(*args, long long);
	else
		va_arg(*args, void *);
}

/* Return the text that printk() writes for an invalid pointer, or NULL. */
static const char *ddebug_invalid(const void *p)
{
	if (!p)
		return "(null)";
	return (unsigned long)p < PAGE_SIZE || IS_ERR_VALUE(p) ? "(efault)" : NULL;
}

/* Copy @text and return its size. */
static unsigned int ddebug_copy(char *to, unsigned int room, const char *text)
{
	ssize_t len = strscpy(to, text, room);

	return len < 0 ? room : len + 1;
}

/* Copy a string that may be at an invalid address, and return the size of the copy. */
static unsigned int ddebug_copy_string(char *to, unsigned int room, const char *s, int precision)
{
	const char *invalid = ddebug_invalid(s);
	unsigned int i;
	long size;

	if (precision >= 0)
		room = min(room, precision + 1u);
	if (invalid)
		return ddebug_copy(to, room, invalid);
	if (precision < 0) {
		size = strncpy_from_kernel_nofault(to, s, room);
		return size > 0 ? size : ddebug_copy(to, room, "(efault)");
	}
	/* The byte behind the precision need not be memory. */
	for (i = 0; i < room - 1; i++) {
		if (copy_from_kernel_nofault(to + i, s + i, 1))
			return ddebug_copy(to, room, "(efault)");
		if (!to[i])
			break;
	}
	to[i] = '\0';
	return i + 1;
}

/* Return the length of the text in the buffer. */
static __printf(3, 0)
unsigned int ddebug_vprint(char *to, unsigned int room, const char *format, va_list args)
{
	return min_t(unsigned int, vsnprintf(to, room, format, args), room - 1);
}

/* Write a conversion as printk() does, and return the size of the text. */
static unsigned int ddebug_write_text(char *to, unsigned int room,
				      const struct ddebug_field *field, va_list *args)
{
	unsigned int i, len;
	va_list copy;
	void *p;
	u8 byte;

	va_copy(copy, *args);
	if (field->is_read) {
		for (i = 0; i < field->stars; i++)
			va_arg(*args, int);
		p = va_arg(*args, void *);
		if (!ddebug_invalid(p) && copy_from_kernel_nofault(&byte, p, sizeof(byte))) {
			va_end(copy);
			return ddebug_copy(to, room, "(efault)");
		}
	} else {
		ddebug_skip_value(field, args);
	}
	len = ddebug_vprint(to, room, field->spec, copy);
	va_end(copy);
	return len + 1;
}

/*
 * Write what is printed before the message: @message->head, and the text that pr_fmt() has put
 * before the format of the site, whose arguments are removed from @args.  Return its size, or 0
 * if the message has another format than the site.
 */
static unsigned int ddebug_write_prefix(char *to, unsigned int room,
					const struct ddebug_event *event,
					const struct ddebug_message *message, va_list *args)
{
	const char *format = event->descriptor->format, *fmt = message->text->fmt, *s;
	size_t own = event->format_len, len;
	char prefix[DDEBUG_PREFIX_MAX];
	struct ddebug_field field;
	unsigned int size;
	va_list copy;

	size = ddebug_vprint(to, room, message->head->fmt, *message->head->va);
	if (fmt == format)
		return size + 1;
	len = strlen(fmt);
	/* pr_fmt() may also have put a newline behind the format. */
	if (len > own && fmt[len - 1] == '\n' && format[own - 1] != '\n')
		len--;
	if (len < own || len - own >= sizeof(prefix) ||
	    memcmp(fmt + len - own, format, own))
		return 0;
	memcpy(prefix, fmt, len - own);
	prefix[len - own] = '\0';
	va_copy(copy, *args);
	size += ddebug_vprint(to + size, room - size, prefix, copy);
	va_end(copy);
	for (s = ddebug_next(prefix); s; s = ddebug_next(s)) {
		s = ddebug_parse(&field, s);
		if (!s)
			return 0;
		ddebug_skip_value(&field, args);
	}
	return size + 1;
}

/* Return the number that "%p" prints. */
static unsigned long ddebug_hash(const void *p)
{
	unsigned long hash;

	if (IS_ERR_OR_NULL(p) || no_hash_pointers)
		return (unsigned long)p;
	return ptr_to_hashval(p, &hash) ? 0 : hash;
}

static void ddebug_store(void *to, const struct ddebug_field *field, va_list *args)
{
	int value;

	switch (field->arg) {
	case DDEBUG_INT:
		value = va_arg(*args, int);
		if (field->halves == 1)
			value = field->is_signed ? (s16)value : (u16)value;
		else if (field->halves > 1)
			value = field->is_signed ? (s8)value : (u8)value;
		*(int *)to = value;
		break;
	case DDEBUG_LONG:
		*(long *)to = va_arg(*args, long);
		break;
	case DDEBUG_LLONG:
		*(long long *)to = va_arg(*args, long long);
		break;
	case DDEBUG_ADDRESS:
		if (field->kind == DDEBUG_POINTER)
			*(unsigned long *)to = ddebug_hash(va_arg(*args, void *));
		else
			*(unsigned long *)to = (unsigned long)va_arg(*args, void *);
		break;
	}
}

/* Write the text of a field and return its size; 0: the message is not that of the site. */
static unsigned int ddebug_write(char *to, unsigned int room, const struct ddebug_event *event,
				 const struct ddebug_field *field,
				 const struct ddebug_message *message, va_list *args)
{
	switch (field->kind) {
	case DDEBUG_PREFIX:
		return ddebug_write_prefix(to, room, event, message, args);
	case DDEBUG_DEVICE:
		return ddebug_copy_string(to, room, message->device ?: "", -1);
	case DDEBUG_INTERFACE:
		return ddebug_copy_string(to, room, message->interface ?: "", -1);
	case DDEBUG_STRING:
		return ddebug_copy_string(to, room, va_arg(*args, char *), field->precision);
	default:
		return ddebug_write_text(to, room, field, args);
	}
}

/* Return false if the message has another format than the site, so that it cannot be recorded. */
static bool ddebug_fill(struct ddebug_record *record, const struct ddebug_event *event,
			const struct ddebug_message *message)
{
	const struct ddebug_field *field = event->field, *end = field + event->nr_fields;
	/* The last byte is the text of the fields that there is no room for. */
	const unsigned int last = DDEBUG_RECORD_MAX - 1;
	unsigned int size;
	va_list args;

	record->size = event->size;
	record->data[last] = '\0';
	va_copy(args, *message->text->va);
	for (; field < end; field++) {
		void *to = record->data + field->offset;
		unsigned int start = min(record->size, last);

		if (field->kind == DDEBUG_NUMBER || field->kind == DDEBUG_POINTER) {
			ddebug_store(to, field, &args);
			continue;
		}
		size = ddebug_write(record->data + start, DDEBUG_RECORD_MAX - start, event,
				    field, message, &args);
		if (!size)
			break;
		*(u32 *)to = size << 16 | start;
		record->size = start + size;
	}
	va_end(args);
	return field == end;
}

static void ddebug_call_probes(const struct ddebug_event *event,
			       const struct ddebug_record *record)
{
	typeof(ddebug_walk_begin()) walk = ddebug_walk_begin();
	struct tracepoint_func *func = rcu_dereference_raw(event->tp.funcs);

	for (; func && func->func; func++)
		((ddebug_probe_fn *)READ_ONCE(func->func))(func->data, event, record);
	ddebug_walk_end(walk);
}

/**
 * ddebug_event_record - Record a debug message
 * @descriptor: descriptor of the site
 * @message: message and its arguments, which are only read
 *
 * Do nothing if the event of the site is not enabled, or if RCU is not watching.
 *
 * Context: any.
 */
void ddebug_event_record(const struct _ddebug *descriptor, const struct ddebug_message *message)
{
	struct ddebug_record record = { .ip = message->ip };
	struct ddebug_buffers *buffers;
	struct ddebug_event *event;

	if (!rcu_is_watching())
		return;
	preempt_disable_notrace();
	event = xa_load(&ddebug_events, READ_ONCE(descriptor->event));
	if (!event || !rcu_access_pointer(event->tp.funcs))
		goto enable;
	buffers = this_cpu_ptr(event->buffers);
	if (buffers->depth < DDEBUG_NESTING) {
		record.data = buffers->data[buffers->depth++];
		barrier();	/* an interrupt uses the next buffer */
		if (ddebug_fill(&record, event, message))
			ddebug_call_probes(event, &record);
		barrier();
		buffers->depth--;
	}
enable:
	preempt_enable_notrace();
}

static void ddebug_copy_record(void *to, const struct ddebug_record *record)
{
	const unsigned int head = sizeof(struct trace_entry);

	memcpy(to + head, record->data + head, record->size - head);
}

static void ddebug_probe_ftrace(void *data, const struct ddebug_event *event,
				const struct ddebug_record *record)
{
	struct trace_event_file *file = data;
	struct trace_event_buffer buffer;
	void *to;

	if (trace_trigger_soft_disabled(file))
		return;
	to = trace_event_buffer_reserve(&buffer, file, record->size);
	if (!to)
		return;
	ddebug_copy_record(to, record);
	trace_event_buffer_commit(&buffer);
}

#ifdef CONFIG_PERF_EVENTS
static void ddebug_probe_perf(void *data, const struct ddebug_event *event,
			      const struct ddebug_record *record)
{
	struct trace_event_call *call = data;
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	struct pt_regs *regs;
	int size, context;
	void *to;

	if (!bpf_prog_array_valid(call) && hlist_empty(head))
		return;
	/* perf puts a u32 before the record. */
	size = ALIGN(record->size + sizeof(u32), sizeof(u64)) - sizeof(u32);
	to = perf_trace_buf_alloc(size, &regs, &context);
	if (!to)
		return;
	ddebug_copy_record(to, record);
	perf_arch_fetch_caller_regs(regs, record->ip);
	perf_trace_run_bpf_submit(to, size, context, call, 1, regs, head, NULL);
}
#endif

/*
 * The text of a record, which is what printk() prints.
 */

static void ddebug_print_field(struct trace_seq *seq, const struct ddebug_field *field,
			       const void *entry)
{
	const void *from = entry + field->offset;

	if (field->kind >= DDEBUG_STRING || field->kind == DDEBUG_PREFIX)
		trace_seq_printf(seq, field->print, entry + (*(u32 *)from & 0xffff));
	else if (field->size == sizeof(u32))
		trace_seq_printf(seq, field->print, *(u32 *)from);
	else if (field->arg == DDEBUG_LLONG)
		trace_seq_printf(seq, field->print, *(unsigned long long *)from);
	else
		trace_seq_printf(seq, field->print, *(unsigned long *)from);
}

static enum print_line_t ddebug_print(struct trace_iterator *iter, int flags,
				      struct trace_event *trace_event)
{
	const struct ddebug_event *event =
		container_of(trace_event, struct ddebug_event, call.event);
	int i, ret = trace_raw_output_prep(iter, trace_event);
	struct trace_seq *seq = &iter->seq;

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	for (i = 0; i < event->nr_fields; i++)
		if (event->field[i].print)
			ddebug_print_field(seq, &event->field[i], iter->ent);
	trace_seq_printf(seq, event->end);
	/* printk() removes a newline at the end, too, wherever it comes from. */
	if (!seq->seq.len || seq->buffer[seq->seq.len - 1] != '\n')
		trace_seq_putc(seq, '\n');
	return trace_handle_return(seq);
}

/*
 * Events.
 */

/**
 * ddebug_event_name - Write the name of the event of a site: FILE_FUNCTION_LINE
 * @descriptor: descriptor of the site
 * @to: buffer of DDEBUG_EVENT_NAME_MAX bytes
 *
 * The file is without its folder and its suffix.  Other characters than letters and digits
 * become "_".
 *
 * Context: any.
 */
void ddebug_event_name(const struct _ddebug *descriptor, char *to)
{
	const char *file = kbasename(descriptor->filename);

	scnprintf(to, DDEBUG_EVENT_NAME_MAX, "%.*s_%s_%u", (int)strcspn(file, "."), file,
		  descriptor->function, descriptor->lineno);
	for (; *to; to++)
		if (!isalnum(*to))
			*to = '_';
}

static bool ddebug_has_field(const struct ddebug_event *event, const char *name)
{
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++)
		if (!strcmp(event->field[i].name, name))
			return true;
	return false;
}

/* Tools make structures of fields, so no name may be a keyword of C. */
static bool ddebug_is_keyword(const char *name)
{
	static const char * const keywords[] = {
		"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
		"else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
		"register", "return", "short", "signed", "sizeof", "static", "struct", "switch",
		"typedef", "union", "unsigned", "void", "volatile", "while",
	};

	return match_string(keywords, ARRAY_SIZE(keywords), name) >= 0;
}

static bool ddebug_is_name_char(char c)
{
	return isascii(c) && (isalnum(c) || c == '_');
}

/*
 * Write the name of the next field: the word between @start and the conversion at @s, as in
 * "word=%d", "word: %d" or "word 0x%x", or the number of the argument.  Return the end of the name.
 */
static char *ddebug_name_field(const struct ddebug_event *event, unsigned int arg,
			       const char *start, const char *s, char *to)
{
	const char *from;

	if (s - start >= 2 && s[-2] == '0' && (s[-1] == 'x' || s[-1] == 'X'))
		s -= 2;
	while (s > start && strchr(" =:([<#\"'", s[-1]))
		s--;
	for (from = s; from > start && ddebug_is_name_char(from[-1]); from--)
		;
	*to = '\0';		/* a longer name that was refused may have been here */
	/* Other letters, such as those of UTF-8, may be a part of the word. */
	if (s - from < DDEBUG_FIELD_NAME_MAX && (from == start || isascii(from[-1])))
		sprintf(to, "%.*s", (int)(s - from), from);
	if (!*to || isdigit(*to) || !strncmp(to, "arg", 3) || !strncmp(to, "common_", 7) ||
	    ddebug_is_keyword(to) || ddebug_has_field(event, to))
		sprintf(to, "arg%u", arg);
	return to + strlen(to) + 1;
}

static void ddebug_place_field(struct ddebug_event *event, struct ddebug_field *field)
{
	event->size = ALIGN(event->size, field->size);
	field->offset = event->size;
	event->size += field->size;
	event->nr_fields++;
}

static void ddebug_add_head(struct ddebug_event *event, enum ddebug_field_kind kind,
			    const char *name)
{
	struct ddebug_field *field = &event->field[event->nr_fields];

	*field = (struct ddebug_field){
		.kind = kind,
		.name = name,
		.c_type = "__data_loc char[]",
		.size = sizeof(u32),
		.is_signed = true,
		.print = kind == DDEBUG_PREFIX ? "%s" : NULL,
	};
	ddebug_place_field(event, field);
}

static unsigned int ddebug_nr_heads(const struct _ddebug *descriptor)
{
	return descriptor->kind == _DPRINTK_KIND_PR ? 1 :
	       descriptor->kind == _DPRINTK_KIND_NETDEV ? 3 : 2;
}

static const char *ddebug_c_type(const struct ddebug_field *field)
{
	if (field->kind >= DDEBUG_STRING)
		return "__data_loc char[]";
	if (field->arg == DDEBUG_INT)
		return field->is_signed ? "int" : "unsigned int";
	if (field->arg == DDEBUG_LLONG)
		return field->is_signed ? "long long" : "unsigned long long";
	return field->is_signed ? "long" : "unsigned long";
}

/* Write the conversion of a field as its recorded value is printed.  Return the end. */
static char *ddebug_write_conversion(const struct ddebug_field *field, const char *s,
				     const char *end, char *to)
{
	if (field->kind == DDEBUG_TEXT)
		return to + sprintf(to, "%%s");
	/* Hashed already, so "%p" would be wrong; a number in the way of "%px". */
	if (field->arg == DDEBUG_ADDRESS && field->kind != DDEBUG_STRING) {
		if (field->has_width)
			return to + sprintf(to, "%.*slx", (int)(strchr(s, 'p') - s), s);
		return to + sprintf(to, "%%0%zulx", 2 * sizeof(long));
	}
	return to + sprintf(to, "%.*s", (int)(end - s), s);
}

/* Cut the format into pieces with one conversion each, and fill in the fields. */
static char *ddebug_make_fields(struct ddebug_event *event, char *to)
{
	const char *s, *end, *start = event->descriptor->format;
	unsigned int arg;

	event->size = sizeof(struct trace_entry);
	ddebug_add_head(event, DDEBUG_PREFIX, "prefix");
	if (event->descriptor->kind != _DPRINTK_KIND_PR)
		ddebug_add_head(event, DDEBUG_DEVICE, "device");
	if (event->descriptor->kind == _DPRINTK_KIND_NETDEV)
		ddebug_add_head(event, DDEBUG_INTERFACE, "interface");
	for (arg = 0, s = ddebug_next(start); s; start = end, s = ddebug_next(start), arg++) {
		struct ddebug_field *field = &event->field[event->nr_fields];

		end = ddebug_parse(field, s);
		field->c_type = ddebug_c_type(field);
		field->print = to;
		to += sprintf(to, "%.*s", (int)(s - start), start);
		to = ddebug_write_conversion(field, s, end, to) + 1;
		field->name = to;
		to = ddebug_name_field(event, arg, start, s, to);
		if (field->kind == DDEBUG_TEXT) {
			field->spec = to;
			to += sprintf(to, "%.*s", (int)(end - s), s) + 1;
		}
		ddebug_place_field(event, field);
	}
	event->end = to;
	return to + sprintf(to, "%s", start) + 1;
}

static void ddebug_quote(struct seq_buf *to, const char *from, const char *end)
{
	for (; from < end; from++) {
		if (*from == '"' || *from == '\\')
			seq_buf_printf(to, "\\%c", *from);
		else if (*from == '\n')
			seq_buf_puts(to, "\\n");
		else if (*from == '\t')
			seq_buf_puts(to, "\\t");
		else
			seq_buf_putc(to, iscntrl(*from) ? ' ' : *from);
	}
}

/* Write a piece of the format for libtraceevent, which does not know "h", "+" and " ". */
static void ddebug_quote_piece(struct seq_buf *to, const struct ddebug_field *field)
{
	const char *s = strrchr(field->print, '%');

	ddebug_quote(to, field->print, s);
	for (; *s; s++)
		if (!strchr("h+ ", *s))
			seq_buf_putc(to, *s);
}

static void ddebug_quote_value(struct seq_buf *to, const struct ddebug_field *field)
{
	if (field->kind == DDEBUG_NUMBER || field->kind == DDEBUG_POINTER)
		seq_buf_printf(to, ", REC->%s", field->name);
	else
		seq_buf_printf(to, ", __get_str(%s)", field->name);
}

/* Return the print format of an event, NULL without memory, or an error if it is too long. */
static char *ddebug_print_fmt(const struct ddebug_event *event)
{
	const struct ddebug_field *field, *last = event->field + event->nr_fields;
	char *print_fmt, *buffer = kmalloc(PAGE_SIZE, GFP_KERNEL);
	const char *end = event->end + strlen(event->end);
	struct seq_buf to;

	if (!buffer)
		return NULL;
	seq_buf_init(&to, buffer, PAGE_SIZE - 1);
	seq_buf_putc(&to, '"');
	for (field = event->field; field < last; field++)
		if (field->print)
			ddebug_quote_piece(&to, field);
	/* Tools write a newline themselves. */
	if (end > event->end && end[-1] == '\n')
		end--;
	ddebug_quote(&to, event->end, end);
	seq_buf_putc(&to, '"');
	for (field = event->field; field < last; field++)
		if (field->print)
			ddebug_quote_value(&to, field);
	print_fmt = seq_buf_has_overflowed(&to) ? ERR_PTR(-E2BIG) :
						  kmemdup_nul(buffer, to.len, GFP_KERNEL);
	kfree(buffer);
	return print_fmt;
}

/* Describe the fields for the core, which computes the same offsets. */
static bool ddebug_define(struct ddebug_event *event)
{
	unsigned int i;

	event->definitions = kcalloc(event->nr_fields + 1, sizeof(*event->definitions),
				     GFP_KERNEL);
	if (!event->definitions)
		return false;
	for (i = 0; i < event->nr_fields; i++) {
		const struct ddebug_field *field = &event->field[i];
		struct trace_event_fields definition = {
			.type = field->c_type,
			.name = field->name,
			.size = field->size,
			.align = field->size,
			.is_signed = field->is_signed,
			.filter_type = FILTER_OTHER,
		};

		/* Its members are constant. */
		memcpy(&event->definitions[i], &definition, sizeof(definition));
	}
	return true;
}

/* Take or release the static key of the site, which the flag "p" may hold, too. */
static void ddebug_event_switch(struct ddebug_event *event)
{
	bool is_on = event->is_wanted && event->users;

	if (is_on == event->is_on)
		return;
	event->is_on = is_on;
#ifdef CONFIG_JUMP_LABEL
	if (is_on)
		static_branch_inc(&event->descriptor->key.dd_key_true);
	else
		static_branch_dec(&event->descriptor->key.dd_key_true);
#endif
}

static int ddebug_event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct ddebug_event *event = container_of(call, struct ddebug_event, call);
	int ret = trace_event_reg(call, type, data);

	if (ret)
		return ret;
	switch (type) {
	case TRACE_REG_REGISTER:
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
#endif
		event->users++;
		break;
	case TRACE_REG_UNREGISTER:
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_UNREGISTER:
#endif
		event->users--;
		break;
	default:
		break;
	}
	ddebug_event_switch(event);
	return 0;
}

static void ddebug_event_free(struct ddebug_event *event)
{
	kfree(event->call.print_fmt);
	kfree(event->definitions);
	kfree(event->text);
	kfree(event);
}

/* Fill in an event.  Return 0 or a negative errno, whose reason is in @reason. */
static int ddebug_event_fill(struct ddebug_event *event, unsigned int number, unsigned int nr_args,
			     const char **reason)
{
	const struct _ddebug *descriptor = event->descriptor;
	size_t modname_len = strlen(descriptor->modname);
	char *to;

	event->format_len = strlen(descriptor->format);
	/* The format is in it as pieces, names of fields and conversions. */
	event->text = kzalloc(3 * event->format_len + nr_args * 48 + modname_len +
			      DDEBUG_EVENT_NAME_MAX + 32, GFP_KERNEL);
	event->buffers = ddebug_buffers;
	*reason = "no memory";
	if (!event->text)
		return -ENOMEM;
	to = event->text;
	event->class.system = to;
	to += sprintf(to, "debug_%s", descriptor->modname) + 1;
	event->tp.name = to;
	ddebug_event_name(descriptor, to);
	to += strlen(to);
	if (number > 1)
		to += sprintf(to, "x%u", number);
	to = ddebug_make_fields(event, to + 1);
	event->call.print_fmt = ddebug_print_fmt(event);
	if (IS_ERR_OR_NULL(event->call.print_fmt)) {
		if (!event->call.print_fmt)
			return -ENOMEM;
		event->call.print_fmt = NULL;
		*reason = "too long a format";
		return -EOPNOTSUPP;
	}
	if (!ddebug_define(event))
		return -ENOMEM;
	event->class.reg = ddebug_event_reg;
	event->class.probe = ddebug_probe_ftrace;
#ifdef CONFIG_PERF_EVENTS
	event->class.perf_probe = ddebug_probe_perf;
#endif
	event->class.raw_init = trace_event_raw_init;
	event->class.fields_array = event->definitions;
	INIT_LIST_HEAD(&event->class.fields);
	event->functions.trace = ddebug_print;
	event->call.class = &event->class;
	event->call.tp = &event->tp;
	event->call.event.funcs = &event->functions;
	event->call.flags = TRACE_EVENT_FL_TRACEPOINT;
	return 0;
}

/* Return the module that has a descriptor, or NULL for the kernel. */
static struct module *ddebug_module(const struct _ddebug *descriptor)
{
	struct module *module;

	preempt_disable();
	module = __module_address((unsigned long)descriptor);
	preempt_enable();
	return module;
}

static int ddebug_event_register(struct ddebug_event *event, const char **reason)
{
	u32 id;
	int ret;

	/* The event is stored when it is complete. */
	ret = xa_alloc(&ddebug_events, &id, NULL, XA_LIMIT(1, U16_MAX), GFP_KERNEL);
	if (ret) {
		*reason = ret == -EBUSY ? "there are 65,535 of them" : "no memory";
		return ret;
	}
	ret = trace_add_event_call(&event->call);
	if (ret) {
		xa_erase(&ddebug_events, id);
		*reason = "the event cannot be registered";
		return ret;
	}
	event->call.module = ddebug_module(event->descriptor);
	xa_store(&ddebug_events, id, event, GFP_KERNEL);
	WRITE_ONCE(event->descriptor->event, id);
	return 0;
}

/* Return why the messages of a site can never be recorded, or NULL. */
static const char *ddebug_event_obstacle(const struct _ddebug *descriptor,
					 struct module *module, int nr_args)
{
	if (descriptor->kind == _DPRINTK_KIND_NONE)
		return "the function that prints it records no events";
	if (nr_args < 0)
		return "unknown conversion in its format";
	if (nr_args + ddebug_nr_heads(descriptor) > DDEBUG_FIELDS_MAX)
		return "too many arguments";
	/* The events of a module that is going may have been removed already. */
	if (module && module->state == MODULE_STATE_GOING)
		return "its module is being unloaded";
	if (module && trace_module_has_bad_taint(module))
		return "its module has bad taint";
	return NULL;
}

/* Make the event of a site.  Return 0 or a negative errno, whose reason is in @reason. */
static int ddebug_event_add(struct _ddebug *descriptor, unsigned int number, const char **reason)
{
	int ret, nr_args = ddebug_count(descriptor->format);
	struct ddebug_event *event;

	*reason = ddebug_event_obstacle(descriptor, ddebug_module(descriptor), nr_args);
	if (*reason)
		return -EOPNOTSUPP;
	*reason = "no memory";
	if (!ddebug_buffers)
		ddebug_buffers = alloc_percpu(struct ddebug_buffers);
	if (!ddebug_buffers)
		return -ENOMEM;
	event = kzalloc(struct_size(event, field, nr_args + ddebug_nr_heads(descriptor)),
			GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	event->descriptor = descriptor;
	ret = ddebug_event_fill(event, number, nr_args, reason);
	if (!ret)
		ret = ddebug_event_register(event, reason);
	if (ret)
		ddebug_event_free(event);
	return ret;
}

/*
 * True while the kernel boots or the module of the site is loaded.  No user could enable an
 * event of the site before its first message.
 */
static bool ddebug_is_starting(const struct _ddebug *descriptor)
{
	struct module *module = ddebug_module(descriptor);

	return module ? module->state == MODULE_STATE_COMING : system_state < SYSTEM_RUNNING;
}

/**
 * ddebug_event_set - Change whether a site records its messages
 * @descriptor: descriptor of the site
 * @number: one more than the number of earlier sites of the module with the same event name
 * @is_wanted: the new state
 * @reason: becomes the reason if the site can have no event
 *
 * Make the event of the site if it is wanted for the first time, and enable it if the site is
 * about to be started.  The event exists until the module of the site goes, because traces may
 * contain it.
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0, -EOPNOTSUPP if the messages of the site cannot be recorded, or another negative errno.
 */
int ddebug_event_set(struct _ddebug *descriptor, unsigned int number, bool is_wanted,
		     const char **reason)
{
	bool is_new = !descriptor->event && is_wanted;
	struct ddebug_event *event;
	int ret = 0;

	mutex_lock(&event_mutex);
	if (is_new)
		ret = ddebug_event_add(descriptor, number, reason);
	event = xa_load(&ddebug_events, descriptor->event);
	if (event) {
		event->is_wanted = is_wanted;
		ddebug_event_switch(event);
	}
	mutex_unlock(&event_mutex);
	/* The caller's lock and the state of the module keep the event. */
	if (event && is_new && ddebug_is_starting(descriptor) &&
	    !tracing_update_buffers(top_trace_array()))
		trace_set_clr_event(event->class.system, event->tp.name, 1);
	return ret;
}

/**
 * ddebug_events_free - Free the events of a module that is going
 * @descriptors: descriptors of the module
 * @nr: number of descriptors
 *
 * Context: may sleep; takes event_mutex.  The notifier of trace_events.c, which has a higher
 * priority, has removed the events from all lists.
 */
void ddebug_events_free(struct _ddebug *descriptors, unsigned int nr)
{
	struct ddebug_event *event, *next;
	LIST_HEAD(dead);
	unsigned int i;

	mutex_lock(&event_mutex);
	for (i = 0; i < nr; i++) {
		event = xa_load(&ddebug_events, descriptors[i].event);
		if (!event)
			continue;
		list_add(&event->dead, &dead);
		xa_erase(&ddebug_events, descriptors[i].event);
	}
	mutex_unlock(&event_mutex);
	if (list_empty(&dead))
		return;
	synchronize_rcu();
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(event, next, &dead, dead)
		ddebug_event_free(event);
}
