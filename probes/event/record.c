// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of trace events by the plan of a marker's arguments: layout, filling, printing. Not
 * here: the listeners of an event (event.c).
 *
 * Locks: a lock of the caller for the list of types; the kernel's for printing.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include "fetch.h"
#include "record.h"

/* Bytes of the longest text of an event that tracefs prints; a longer one is cut. */
#define PRINTED_MAX	3072u

static DEFINE_HASHTABLE(types, 8);		/* by name */
static LIST_HEAD(no_fields);

/* Apart, for the stack. */
static noinline unsigned int notrace measure_text(const struct marker_arg *arg,
						  const unsigned long *args)
{
	char text[MARKER_TEXT_MAX] MARKER_NOT_CLEARED;

	return marker_fetch_text(arg, args, text, sizeof(text)) + 1;
}

void notrace marker_event_record_measure_texts(const struct marker_event_record_type *type,
					       const unsigned long *args,
					       struct marker_event_record_texts *texts)
{
	const struct marker_plan *plan = &type->format.plan;
	unsigned int i;

	texts->sum = 0;
	for (i = 0; i < plan->nargs; i++) {
		if (!marker_arg_is_text(&plan->args[i]))
			continue;
		texts->sizes[i] = measure_text(&plan->args[i], args);
		texts->sum += texts->sizes[i];
	}
}

/*
 * Copy a text into the place and size that its field has; zero the rest if the text has become
 * shorter.
 */
static void notrace fill_text(const struct marker_arg *arg, struct marker_event_record *record,
			      unsigned int offset, u32 *field, const unsigned long *args,
			      unsigned int size)
{
	char *to = (char *)record + offset;
	unsigned int len = marker_fetch_text(arg, args, to, size);

	memset(to + len, 0, size - len);
	*field = size << 16 | offset;
}

static __always_inline void fill_word(void *field, unsigned int size, unsigned long word)
{
	/* Little-endian or not, assignment converts. */
	switch (size) {
	case 1:
		*(u8 *)field = word;
		break;
	case 2:
		*(u16 *)field = word;
		break;
	case 4:
		*(u32 *)field = word;
		break;
	default:
		*(unsigned long *)field = word;
	}
}

/*
 * Copy the parts as they are printed ("%%" is one '%'), one after the other. The record has zeros,
 * which end them.
 */
static noinline void notrace fill_parts(const struct marker_event_format *format, char *to)
{
	const struct marker_event_part *part;

	for (part = format->parts; part < format->parts + format->nparts; part++) {
		const char *from = format->text + part->start, *end = from + part->len;
		char *behind = to + part->len + 1;

		for (; from < end; from++) {
			*to++ = *from;
			if (*from == '%')
				from = strchr(from + 1, '%');
		}
		to = behind;
	}
}

static noinline void notrace fill_texts(const struct marker_event_record_type *type,
					struct marker_event_record *record,
					const unsigned long *args,
					const struct marker_event_record_texts *texts)
{
	const struct marker_plan *plan = &type->format.plan;
	unsigned int i, end = type->size;

	if (type->format.nparts)
		fill_parts(&type->format, (char *)record + type->parts);
	for (i = 0; i < plan->nargs; i++) {
		const struct marker_arg *arg = &plan->args[i];
		void *field = (void *)record + type->offset[i];

		if (arg->role == MARKER_ROLE_BYTES) {
			marker_fetch_bytes(arg, args, field);
			continue;
		}
		if (!marker_arg_is_text(arg)) {
			fill_word(field, type->size_of[i], args[i]);
			continue;
		}
		fill_text(arg, record, end, field, args, texts->sizes[i]);
		end += texts->sizes[i];
	}
	memset((char *)record + end, 0, ALIGN(end, sizeof(u32)) - end);
}

void notrace marker_event_record_fill(const struct marker_event_record_type *type,
				      struct marker_event_record *record,
				      const struct marker_site *site, const unsigned long *args,
				      const struct marker_event_record_texts *texts)
{
	unsigned int i, n = type->format.plan.nargs;

	/* No field has the bytes that align the field behind them, or the end. */
	for (i = sizeof(struct trace_entry) / sizeof(u64); i < type->size / sizeof(u64); i++)
		((u64 *)record)[i] = 0;
	record->line = site->line;
	if (unlikely(!type->has_words_only)) {
		fill_texts(type, record, args, texts);
		return;
	}
	for (i = 0; i < n; i++)
		fill_word((void *)record + type->offset[i], type->size_of[i], args[i]);
}

/* A text lies in the record, with its NUL, or it is refused. */
static bool read_field(const struct marker_event_record_type *type, unsigned int i,
		       const void *record, unsigned int size, unsigned long *word)
{
	const struct marker_arg *arg = &type->format.plan.args[i];
	const void *field = record + type->offset[i];
	unsigned int bits = 8 * marker_event_type_size(arg->type);
	unsigned int start, len;

	if (marker_arg_is_text(arg)) {
		start = *(u32 *)field & 0xffff;
		len = *(u32 *)field >> 16;
		*word = (unsigned long)record + start;
		return len && start + len <= size && !((const char *)record)[start + len - 1];
	}
	if (arg->role == MARKER_ROLE_BYTES) {
		*word = (unsigned long)field;
		return true;
	}
	*word = 0;
	memcpy(word, field, bits / 8);
	if (marker_type_is_signed(arg->type))
		*word = (long)(*word << (BITS_PER_LONG - bits)) >> (BITS_PER_LONG - bits);
	return true;
}

/* A marker_text_fn: the words of texts and bytes lead into the record. */
static unsigned int read_text(const struct marker_arg *arg, const unsigned long *words, char *to,
			      unsigned int size)
{
	if (!marker_arg_is_text(arg))
		return marker_fetch_text(arg, words, to, size);
	return scnprintf(to, size, "%s", (const char *)words[arg->index]);
}

/* Print into the rest of @seq. If that is less than the longest line, the kernel tries again. */
static void print_words(const struct marker_event_record_type *type, const unsigned long *words,
			struct trace_seq *seq)
{
	const struct marker_site site = marker_event_format_site(&type->format);
	unsigned int size, len;
	char *to;

	size = min_t(size_t, seq_buf_get_buf(&seq->seq, &to), PRINTED_MAX);
	len = size ? marker_print(&site, words, read_text, to, size) : 0;
	if (len + 1 >= size && size < PRINTED_MAX)
		seq_buf_set_overflow(&seq->seq);
	else
		seq_buf_commit(&seq->seq, len);
}

/* Print a record in the marker's format, for tracefs. Nothing behind the record is read. */
static enum print_line_t print(struct trace_iterator *iter, int flags, struct trace_event *what)
{
	struct marker_event_record_type *type =
		container_of(what, struct marker_event_record_type, call.event);
	unsigned long words[MARKER_ARGS_MAX] = { };
	bool whole = iter->ent_size >= type->size;
	unsigned int i;

	for (i = 0; whole && i < type->format.plan.nargs; i++)
		whole = read_field(type, i, iter->ent, iter->ent_size, &words[i]);
	trace_seq_printf(&iter->seq, "%s: ", marker_event_record_type_name(type));
	if (whole)
		print_words(type, words, &iter->seq);
	else
		trace_seq_printf(&iter->seq, "(a record of %d bytes, not of this format)",
				 iter->ent_size);
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static void lay_out(struct marker_event_record_type *type)
{
	unsigned int i, end = offsetofend(struct marker_event_record, line);

	type->has_words_only = !type->format.nparts;

	for (i = 0; i < type->format.plan.nargs; i++) {
		const struct marker_arg *arg = &type->format.plan.args[i];
		unsigned int size = marker_event_record_field_size(arg);

		type->offset[i] = arg->role == MARKER_ROLE_BYTES ? end : ALIGN(end, size);
		type->size_of[i] = size;
		type->has_words_only &= arg->role != MARKER_ROLE_BYTES && !marker_arg_is_text(arg);
		end = type->offset[i] + size;
	}
	type->parts = end;
	for (i = 0; i < type->format.nparts; i++)
		end += type->format.parts[i].len + 1;
	type->size = ALIGN(end, sizeof(u64));
}

/* Under the lock that the kernel takes to remove an event's fields. */
static struct list_head *get_fields(struct trace_event_call *call)
{
	return READ_ONCE(container_of(call, struct marker_event_record_type, call)->fields);
}

void marker_event_record_type_set_fields(struct marker_event_record_type *type,
					 struct list_head *fields)
{
	WRITE_ONCE(type->fields, fields ?: &no_fields);
}

/* The class and the functions of all types. */
static struct trace_event_class class = { .system = "markers", .get_fields = get_fields };
static struct trace_event_functions functions = { .trace = print };

static struct marker_event_record_type *make_type(const char *name,
						  const struct marker_event_format *format)
{
	const size_t end = offsetof(struct marker_event_record_type, format) +
			   marker_event_format_size(format);
	const size_t text = marker_event_format_text_size(format), name_size = strlen(name) + 1;
	char *print = marker_event_format_print(format);
	struct marker_event_record_type *type = NULL;

	if (print)
		type = kzalloc(end + text + name_size + strlen(print) + 1, GFP_KERNEL);
	if (!type) {
		kfree(print);
		return ERR_PTR(-ENOMEM);
	}
	memcpy(&type->format, format, marker_event_format_size(format));
	type->format.text = memcpy((char *)type + end, format->text, text);
	type->call.name = strcpy((char *)type + end + text, name);
	type->call.print_fmt = strcpy((char *)type + end + text + name_size, print);
	kfree(print);
	lay_out(type);
	type->fields = &no_fields;
	type->call.class = &class;
	type->call.event.funcs = &functions;
	if (!register_trace_event(&type->call.event)) {
		pr_err("event %s: the kernel has no number left for it\n", name);
		kfree(type);
		return ERR_PTR(-ENOSPC);
	}
	hash_add(types, &type->by_name, marker_event_name_hash(name));
	return type;
}

static void free_type(struct marker_event_record_type *type)
{
	unregister_trace_event(&type->call.event);
	hash_del(&type->by_name);
	kfree(type);
}

struct marker_event_record_type *
marker_event_record_type_get(const char *name, const struct marker_event_format *format)
{
	struct marker_event_record_type *type;

	hash_for_each_possible(types, type, by_name, marker_event_name_hash(name))
		if (!type->used && !strcmp(marker_event_record_type_name(type), name) &&
		    marker_event_format_equal(&type->format, format))
			goto found;
	type = make_type(name, format);
	if (IS_ERR(type))
		return type;
found:
	type->used = true;
	return type;
}

void marker_event_record_type_put(struct marker_event_record_type *type, bool written)
{
	type->used = false;
	type->written |= written;
	if (!type->written)
		free_type(type);
}

void marker_event_record_type_free_all(void)
{
	struct marker_event_record_type *type;
	struct hlist_node *tmp;
	int bucket;

	hash_for_each_safe(types, bucket, tmp, type, by_name)
		free_type(type);
}
