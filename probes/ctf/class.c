// SPDX-License-Identifier: GPL-2.0-only
/* Plans: the fields of an event, read once from the format. */
#include <linux/stringhash.h>
#include "class.h"
#include "items.h"
#include "type.h"

/* Add a field. A "*" is a number; a conversion to a text is stored as that text. */
static void add_field(struct marker_ctf_class *event, const struct marker_arg *arg,
		      const char *format)
{
	struct marker_ctf_field *field = &event->fields[event->nfields++];

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
				    !(arg->end && format[arg->end - 1] == 'x');
		if (field->is_address)
			event->address_at[event->naddresses++] = event->length;
	}
	field->size = marker_ctf_type_size(field->type);
	if (field->is_bytes)
		field->size = arg->width;
	event->varies |= !field->size;
	event->length += field->size;
}

static int make_plan(struct marker_ctf_class *event, const struct marker_site *site)
{
	unsigned int i;
	int ret = marker_plan_make(&event->plan, site, "ctf");

	if (ret)
		return ret;
	marker_arg_names(site, event->names);
	event->varies = event->context & ITEM_STACKS;
	event->length = marker_ctf_items_size(event->context);
	for (i = 0; i < event->plan.nargs; i++)
		add_field(event, &event->plan.args[i], site->format);
	return 0;
}

static void free_class(struct marker_ctf_class *event)
{
	kfree(event->name);
	kfree(event);
}

static struct marker_ctf_class *make_class(const struct marker_site *site, u32 context,
					   const struct marker_ctf_ring *ring)
{
	struct marker_ctf_class *event = kzalloc(sizeof(*event), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!event)
		return ERR_PTR(ret);
	event->name = kasprintf(GFP_KERNEL, "%s%c%s", site->name, 0, site->format);
	if (!event->name)
		goto err;
	event->format = event->name + strlen(event->name) + 1;
	event->types = site->types;
	event->context = context;
	event->ring = ring;
	ret = make_plan(event, site);
	if (ret)
		goto err;
	return event;

err:
	free_class(event);
	return ERR_PTR(ret);
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
		if (is_of(event, site, context))
			return event;
	event = make_class(site, context, ring);
	if (IS_ERR(event))
		return event;
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
		free_class(event);
	marker_ctf_classes_init(classes);
}
