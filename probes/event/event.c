// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace events made at run time.  Code that TRACE_EVENT() would have the compiler
 * write is replaced here by a loop over the arguments of a format.
 *
 * The tracepoint of an event has no call site and no static key: it is only the
 * list of listeners, walked here, so that tracepoint.c does the locking.
 */
#include <linux/slab.h>
#include "event.h"
#include "open.h"
#include "write.h"

static const char *const type_names[] = {
	[MARKER_TYPE_S8] = "signed char", [MARKER_TYPE_U8] = "unsigned char",
	[MARKER_TYPE_S16] = "short", [MARKER_TYPE_U16] = "unsigned short",
	[MARKER_TYPE_S32] = "int", [MARKER_TYPE_U32] = "unsigned int",
	[MARKER_TYPE_S64] = "long", [MARKER_TYPE_U64] = "unsigned long",
	[MARKER_TYPE_STR] = "void *", [MARKER_TYPE_PTR] = "void *",
};

/* By the kernel's rule each field follows the previous one, aligned; record.c does the same. */
static void add_field(struct trace_event_fields **to, const char *type, const char *name,
		      unsigned int size, unsigned int align, bool is_signed, unsigned int len)
{
	const struct trace_event_fields field = {
		.type = type,
		.name = name,
		.size = size,
		.align = align,
		.is_signed = is_signed,
		.filter_type = FILTER_OTHER,
		.len = len,
	};

	/* memcpy(), because the members of the struct are const. */
	memcpy((*to)++, &field, sizeof(field));
}

/* The type of a field that is bytes, which the kernel keeps. */
static const char *array_type(unsigned int size)
{
	static char types[MARKER_BYTES_MAX + 1][sizeof("u8[64]")];

	scnprintf(types[size], sizeof(types[size]), "u8[%u]", size);
	return types[size];
}

static void add_arg(struct trace_event_fields **to, const struct marker_event_format *format,
		    unsigned int i)
{
	const char *name = marker_event_format_name(format, i);
	const struct marker_arg *arg = &format->plan.args[i];
	unsigned int size = marker_event_record_field_size(arg);

	if (arg->role == MARKER_ROLE_BYTES) {
		add_field(to, array_type(size), name, size, 1, false, size);
	} else if (marker_arg_is_text(arg)) {
		add_field(to, "__data_loc char[]", name, size, size, true, 0);
	} else {
		add_field(to, type_names[arg->type], name, size, size,
			  marker_type_is_signed(arg->type), 0);
	}
}

/* The kernel reads them when the event is added, and keeps the names and the types. */
static struct trace_event_fields *make_fields(struct marker_event *event)
{
	const struct marker_event_format *format = &event->type->format;
	struct trace_event_fields *fields, *to;
	unsigned int i;

	fields = kcalloc(format->plan.nargs + format->nparts + 2, sizeof(*fields), GFP_KERNEL);
	if (!fields)
		return NULL;
	to = fields;
	add_field(&to, "unsigned short", "line", sizeof(u16), sizeof(u16), false, 0);
	for (i = 0; i < format->plan.nargs; i++)
		add_arg(&to, format, i);
	for (i = 0; i < format->nparts; i++)
		add_field(&to, "char[]", marker_event_format_part_name(i),
			  format->parts[i].len + 1, 1, true, format->parts[i].len + 1);
	return fields;
}

/* Length of what precedes the '/' in a name, or 0. */
static size_t system_len(const char *name)
{
	const char *slash = strchr(name, '/');

	return slash ? slash - name : 0;
}

size_t marker_event_names_size(const struct marker_site *site)
{
	return strlen(site->name) + strlen(site->format) + system_len(site->name) + 3;
}

void marker_event_set_names(struct marker_event *event, char *to, const struct marker_site *site)
{
	const size_t system = system_len(site->name);
	const size_t name = strlen(site->name) + 1, format = strlen(site->format) + 1;

	event->name = memcpy(to, site->name, name);
	event->site_format = memcpy(to + name, site->format, format);
	event->tp.name = event->name + (system ? system + 1 : 0);
	if (system) {
		event->system = memcpy(to + name + format, site->name, system);
		to[name + format + system] = '\0';
	}
}

bool marker_event_name_is_used(const struct marker_event *event)
{
	struct trace_event_file *file =
		trace_get_event_file(NULL, marker_event_system(event), event->tp.name);

	if (IS_ERR(file))
		return PTR_ERR(file) == -EBUSY;
	trace_put_event_file(file);
	return true;
}

/* Files of tracefs beside the folders of a system's events. */
static int check_name(const struct marker_event *event)
{
	const char *name = event->tp.name;

	if (strcmp(name, "enable") && strcmp(name, "filter"))
		return 0;
	pr_err("no event can be called \"%s\": events/%s/%s of tracefs is a file\n", name,
	       marker_event_system(event), name);
	return -EINVAL;
}

/* Use the number of the records, which outlive the event; there are no funcs. */
static int raw_init(struct trace_event_call *call)
{
	call->event.type = container_of(call, struct marker_event, call)->type->call.event.type;
	return 0;
}

static int take_format(struct marker_event *event, const struct marker_event_format *format)
{
	event->type = marker_event_record_type_get(event->name, format);
	if (IS_ERR(event->type))
		return PTR_ERR(event->type);
	event->call.print_fmt = event->type->call.print_fmt;
	return 0;
}

static void free_format(struct marker_event_format *format)
{
	marker_event_format_exit(format);
	kfree(format);
}

/* Too large for the stack. */
static struct marker_event_format *parse_format(const struct marker_site *site)
{
	struct marker_event_format *format = kmalloc(sizeof(*format), GFP_KERNEL);
	int ret = format ? marker_event_format_parse(format, site) : -ENOMEM;

	if (!ret)
		return format;
	if (format)
		free_format(format);
	return ERR_PTR(ret);
}

int marker_event_init(struct marker_event *event, const struct marker_site *site,
		      marker_event_reg_fn *reg)
{
	struct marker_event_format *format;
	int ret = check_name(event);

	if (ret)
		return ret;
	format = parse_format(site);
	if (IS_ERR(format))
		return PTR_ERR(format);
	event->types = site->types;
	ret = take_format(event, format);
	free_format(format);
	if (ret)
		return ret;
	event->class = (struct trace_event_class){
		.system = marker_event_system(event),
		.probe = marker_event_of_ftrace,
		.perf_probe = marker_event_of_perf,
		.reg = reg,
		.raw_init = raw_init,
	};
	INIT_LIST_HEAD(&event->class.fields);
	event->call.class = &event->class;
	event->call.tp = &event->tp;
	event->call.flags = TRACE_EVENT_FL_TRACEPOINT | TRACE_EVENT_FL_DYNAMIC;
	return 0;
}

void marker_event_exit(struct marker_event *event)
{
	if (!IS_ERR_OR_NULL(event->type))
		marker_event_record_type_put(event->type, event->written);
}

int marker_event_add(struct marker_event *event)
{
	static struct trace_event_fields no_fields[] = { { } };
	int ret;

	event->class.fields_array = make_fields(event);
	if (!event->class.fields_array)
		return -ENOMEM;
	ret = trace_add_event_call(&event->call);
	kfree(event->class.fields_array);
	/* The kernel reads it again for a new instance if it had no memory for the first field. */
	event->class.fields_array = no_fields;
	if (ret < 0)
		return ret;
	marker_event_record_type_set_fields(event->type, &event->class.fields);
	return 0;
}

static bool event_is_open(const struct marker_event *event)
{
	return marker_event_is_open(marker_event_system(event), event->tp.name);
}

int marker_event_remove(struct marker_event *event)
{
	int ret;

	if (atomic_read(&event->call.refcnt) || event_is_open(event))
		return -EBUSY;
	marker_event_record_type_set_fields(event->type, NULL);
	ret = trace_remove_event_call(&event->call);
	if (ret)
		marker_event_record_type_set_fields(event->type, &event->class.fields);
	return ret;
}

bool marker_event_is_of(const struct marker_event *event, const struct marker_site *site)
{
	return event->types == site->types && !strcmp(event->site_format, site->format);
}

int marker_event_check(const struct marker_event *event, const struct marker_site *site)
{
	struct marker_event_format *format;
	int ret = 0;

	if (marker_event_is_of(event, site))
		return 0;
	format = parse_format(site);
	if (IS_ERR(format))
		return PTR_ERR(format);
	if (!marker_event_format_equal(format, &event->type->format)) {
		pr_err("event %s:%s has other arguments: \"%s\", not \"%s\"\n",
		       marker_event_system(event), event->tp.name, event->type->format.text,
		       format->text);
		ret = -EINVAL;
	}
	free_format(format);
	return ret;
}
