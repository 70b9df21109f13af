// SPDX-License-Identifier: GPL-2.0-only
/* Plans: the fields of an event, read once from the format. */
#include <linux/stringhash.h>
#include "class.h"
#include "items.h"
#include "type.h"

/* Make the field of an argument. A "*" is a number; what is printed as a text is stored as one. */
static void make_field(struct marker_ctf_class *event, unsigned int i)
{
	const struct marker_arg *arg = &event->args[i];
	struct marker_ctf_field *field = &event->fields[i];

	field->base = arg->base;
	field->is_bytes = arg->role == MARKER_ROLE_BYTES;
	event->fetches |= marker_arg_has_text(arg);
	if (marker_arg_is_text(arg)) {
		field->type = MARKER_TYPE_STR;
	} else if (field->is_bytes) {
		field->type = MARKER_TYPE_U8;
	} else {
		field->type = arg->type == MARKER_TYPE_STR ? MARKER_TYPE_PTR : arg->type;
		/* %px asks for the address itself. */
		field->is_address = field->type == MARKER_TYPE_PTR &&
				    !(arg->end && event->format[arg->end - 1] == 'x');
		if (field->is_address)
			event->address_at[event->naddresses++] = event->length;
	}
	field->size = marker_ctf_type_size(field->type);
	if (field->is_bytes)
		field->size = arg->width;
	event->varies |= !field->size;
	event->length += field->size;
}

static void make_fields(struct marker_ctf_class *event)
{
	unsigned int i;

	event->varies = event->context & ITEM_STACKS;
	event->length = marker_ctf_items_size(event->context);
	for (i = 0; i < event->nfields; i++)
		make_field(event, i);
}

/* Put a text and a character at @to. Return the end. */
static char *put(char *to, const char *text, char behind)
{
	size_t len = strlen(text);

	memcpy(to, text, len);
	to[len] = behind;
	return to + len + 1;
}

/* Put the texts of a class behind its arguments, where there is room for them. */
static void put_texts(struct marker_ctf_class *event, const struct marker_site *site,
		      char names[][MARKER_ARG_NAME_MAX])
{
	char *to = (char *)(event->args + event->nfields);
	unsigned int i;

	event->name = to;
	to = put(to, site->name, '\0');
	event->format = to;
	to = put(to, site->format, '\0');
	event->names = to;
	for (i = 0; i < event->nfields; i++)
		to = put(to, names[i], i + 1 < event->nfields ? ',' : '\0');
}

static struct marker_ctf_class *make_class(const struct marker_site *site, u32 context,
					   const struct marker_ctf_ring *ring)
{
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	struct marker_ctf_class *event;
	struct marker_plan plan;
	size_t size;
	int ret = marker_plan_make(&plan, site, "ctf");
	unsigned int i;

	if (ret)
		return ERR_PTR(ret);
	marker_arg_names(site, names);
	size = sizeof(*event) + plan.nargs * sizeof(*event->args) + strlen(site->name) + 1 +
	       strlen(site->format) + 1;
	for (i = 0; i < plan.nargs; i++)
		size += strlen(names[i]) + 1;
	event = kzalloc(size, GFP_KERNEL);
	if (!event)
		return ERR_PTR(-ENOMEM);
	event->types = site->types;
	event->context = context;
	event->ring = ring;
	event->nfields = plan.nargs;
	memcpy(event->args, plan.args, plan.nargs * sizeof(*event->args));
	put_texts(event, site, names);
	make_fields(event);
	return event;
}

void marker_ctf_classes_init(struct marker_ctf_classes *classes)
{
	INIT_LIST_HEAD(&classes->list);
	hash_init(classes->by_name);
	classes->n = 0;
}

static bool is_of(const struct marker_ctf_class *event, const struct marker_site *site, u32 context)
{
	return event->types == site->types && event->context == context &&
	       !strcmp(event->name, site->name) && !strcmp(event->format, site->format);
}

struct marker_ctf_class *marker_ctf_class_get(struct marker_ctf_classes *classes,
					      const struct marker_site *site, u32 context,
					      const struct marker_ctf_ring *ring)
{
	u32 hash = full_name_hash(NULL, site->name, strlen(site->name));
	struct marker_ctf_class *event;

	hash_for_each_possible(classes->by_name, event, by_name, hash)
		if (event->hash == hash && is_of(event, site, context))
			return event;
	event = make_class(site, context, ring);
	if (IS_ERR(event))
		return event;
	event->hash = hash;
	event->id = classes->n++;
	event->form = marker_ctf_form_of(event->id);
	list_add_tail(&event->list, &classes->list);
	hash_add(classes->by_name, &event->by_name, hash);
	return event;
}

void marker_ctf_class_free_all(struct marker_ctf_classes *classes)
{
	struct marker_ctf_class *event, *tmp;

	list_for_each_entry_safe(event, tmp, &classes->list, list)
		kfree(event);
	marker_ctf_classes_init(classes);
}
