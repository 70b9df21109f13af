/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of events in the buffers of ftrace and perf, and the printing of those
 * of ftrace.
 *
 * The kernel chooses the print function by a number in each record, and gives the numbers of
 * removed events to new ones.  So a kind of record that has been written keeps its
 * number until this module leaves: a later reader of a buffer gets it printed,
 * and a new event of the same name and arguments uses it again.  When a module
 * with events leaves, the kernel empties the buffers that had its events.
 */
#ifndef PROBES_EVENT_RECORD_H
#define PROBES_EVENT_RECORD_H

#include <linux/list.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>
#include "format.h"

/* The start of every record; its fields follow. */
struct marker_event_record {
	struct trace_entry entry;
	u16 line;
};

struct marker_event_record_type {
	struct hlist_node by_name;
	/* Number and printing of the records; the kernel takes this for an event's. */
	struct trace_event_call call;
	struct list_head *fields;		/* fields of the event that uses it, or none */
	u16 offset[MARKER_ARGS_MAX];		/* offsets of the fields */
	u8 size_of[MARKER_ARGS_MAX];		/* bytes of the fields */
	bool has_words_only;			/* each field is an argument, unchanged */
	u16 parts;				/* offset of the parts of the text */
	u16 size;				/* size of a record, without texts */
	bool used;				/* by an event */
	bool written;				/* by an event, as there */
	/* Last: it is cut behind its arguments; its text, the name and call.print_fmt follow. */
	struct marker_event_format format;
};

/* Bytes of the field of an argument, which is aligned to them unless it is an array. */
static inline unsigned int marker_event_record_field_size(const struct marker_arg *arg)
{
	if (arg->role == MARKER_ROLE_BYTES)
		return arg->width;
	return marker_arg_is_text(arg) ? sizeof(u32) : marker_event_type_size(arg->type);
}

/* The hash of the name of a marker, for tables by name. */
static inline u32 marker_event_name_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/* Sizes of the texts of one event, with their NULs. */
struct marker_event_record_texts {
	u16 sizes[MARKER_ARGS_MAX];
	unsigned int sum;
};

/*
 * Get the record type of an event called @name: a parked one, or a new one with copies of @name and
 * @format. ERR_PTR(): -ENOMEM, -ENOSPC for no number. May sleep.
 */
struct marker_event_record_type *
marker_event_record_type_get(const char *name, const struct marker_event_format *format);

/*
 * Release a type that has no writers any more; it is parked if records of it have been @written.
 * May sleep.
 */
void marker_event_record_type_put(struct marker_event_record_type *type, bool written);

/*
 * Set the names of the fields of the records while the event exists; NULL: it does not exist any
 * more.
 */
void marker_event_record_type_set_fields(struct marker_event_record_type *type,
					 struct list_head *fields);

static inline const char *marker_event_record_type_name(const struct marker_event_record_type *type)
{
	return type->call.name;
}

/* At the end of this module: of all that are parked. */
void marker_event_record_type_free_all(void);

void marker_event_record_measure_texts(const struct marker_event_record_type *type,
				       const unsigned long *args,
				       struct marker_event_record_texts *texts);

/* Context of both functions: as at the site. The texts may change between the calls. */
static __always_inline void marker_event_record_measure(const struct marker_event_record_type *type,
							const unsigned long *args,
							struct marker_event_record_texts *texts)
{
	if (type->has_words_only)
		texts->sum = 0;
	else
		marker_event_record_measure_texts(type, args, texts);
}

/* Bytes of a record: ftrace shows those up to the next multiple of 4, too. */
static __always_inline unsigned int
marker_event_record_bytes(const struct marker_event_record_type *type,
			  const struct marker_event_record_texts *texts)
{
	return ALIGN(type->size + texts->sum, sizeof(u32));
}

/* Write every byte of a record, but for those behind marker_event_record_bytes(). */
void marker_event_record_fill(const struct marker_event_record_type *type,
			      struct marker_event_record *record, const struct marker_site *site,
			      const unsigned long *args,
			      const struct marker_event_record_texts *texts);

#endif
