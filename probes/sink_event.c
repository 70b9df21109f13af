// SPDX-License-Identifier: GPL-2.0-only
/* Plans: what a format says about arguments, read once. */
#include "sink_event.h"

static const struct {
	const char *name;
	u8 size;
} types[] = {
	[MARKER_TYPE_S8] = { "s8", 1 }, [MARKER_TYPE_U8] = { "u8", 1 },
	[MARKER_TYPE_S16] = { "s16", 2 }, [MARKER_TYPE_U16] = { "u16", 2 },
	[MARKER_TYPE_S32] = { "s32", 4 }, [MARKER_TYPE_U32] = { "u32", 4 },
	[MARKER_TYPE_S64] = { "s64", 8 }, [MARKER_TYPE_U64] = { "u64", 8 },
	[MARKER_TYPE_STR] = { "str", 0 }, [MARKER_TYPE_PTR] = { "ptr", 8 },
};

unsigned int event_type_size(enum marker_type type)
{
	return types[type].size;
}

const char *event_type_name(enum marker_type type)
{
	return types[type].name;
}

/* One % of a format. */
struct conversion {
	char letter;
	bool raw;			/* %px */
	unsigned int stars;		/* arguments before the one it is for */
	bool star_is_precision;		/* the last of them */
	int precision;			/* -1: none */
};

/* Reads digits or a star from @s on; returns what is behind. */
static const char *read_number(const char *s, int *number, bool *star)
{
	*star = *s == '*';
	if (*star)
		return s + 1;
	for (*number = 0; *s >= '0' && *s <= '9'; s++)
		*number = min(*number * 10 + (*s - '0'), 9999);
	return s;
}

/* The next one behind @s that takes arguments, or NULL. */
static const char *next_conversion(const char *s, struct conversion *c)
{
	int width;
	bool star;

	do {
		s = strchr(s, '%');
		if (!s)
			return NULL;
		memset(c, 0, sizeof(*c));
		c->precision = -1;
		s++;
		s += strspn(s, "-+ #0");
		s = read_number(s, &width, &star);
		c->stars += star;
		if (*s == '.') {
			s = read_number(s + 1, &c->precision, &c->star_is_precision);
			c->stars += c->star_is_precision;
		}
		s += strspn(s, "hlLzjtq");
		c->letter = *s;
		c->raw = s[0] == 'p' && s[1] == 'x';
		if (*s)
			s++;
	} while (c->letter == '%');
	return s;
}

static u8 base_of(char letter, enum marker_type type)
{
	if (letter == 'x' || letter == 'X' || letter == 'p' || type == MARKER_TYPE_PTR)
		return 16;
	return letter == 'o' ? 8 : 10;
}

static void add_field(struct event_class *event, enum marker_type type, u8 base)
{
	struct event_field *field = &event->fields[event->nfields];

	field->type = type;
	field->arg = event->nfields++;
	field->base = base;
	field->precision_arg = -1;
	event->length += event_type_size(type);
}

static void add_number(struct event_class *event, enum marker_type type,
		       const struct conversion *c)
{
	struct event_field *field = &event->fields[event->nfields];

	add_field(event, type, base_of(c->letter, type));
	field->is_address = type == MARKER_TYPE_PTR && !c->raw;
	event->has_address |= field->is_address;
}

/* The text itself, not where it is: what %s says of a pointer to characters. */
static void add_text(struct event_class *event, const struct conversion *c)
{
	struct event_field *field = &event->fields[event->nfields];

	add_field(event, MARKER_TYPE_STR, 10);
	event->has_text = true;
	field->most = EVENT_TEXT_MAX;
	if (c->star_is_precision)
		field->precision_arg = field->arg - 1;
	else if (c->precision >= 0)
		field->most = min(c->precision + 1, (int)EVENT_TEXT_MAX);
}

static int add_conversion(struct event_class *event, const struct marker_site *site,
			  const struct conversion *c)
{
	enum marker_type type;
	unsigned int star;

	for (star = 0; star <= c->stars; star++) {
		type = marker_site_type(site, event->nfields);
		if (type == MARKER_TYPE_NONE)
			return -EINVAL;
		if (star < c->stars)
			add_field(event, type, 10);
		else if (c->letter == 's')
			add_text(event, c);
		else
			add_number(event, type == MARKER_TYPE_STR ? MARKER_TYPE_PTR : type, c);
	}
	return 0;
}

static int make_plan(struct event_class *event, const struct marker_site *site)
{
	const char *s = site->format;
	struct conversion c;
	int ret;

	event->length = EVENT_HEADER;
	while ((s = next_conversion(s, &c))) {
		ret = add_conversion(event, site, &c);
		if (ret)
			return ret;
	}
	return event->nfields == marker_site_nargs(site) ? 0 : -EINVAL;
}

static void free_class(struct event_class *event)
{
	kfree(event->name);
	kfree(event);
}

static struct event_class *make_class(const struct marker_site *site, const struct ring *ring)
{
	struct event_class *event = kzalloc(sizeof(*event), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!event)
		return ERR_PTR(ret);
	event->name = kasprintf(GFP_KERNEL, "%s%c%s", site->name, 0, site->format);
	if (!event->name)
		goto err;
	event->format = event->name + strlen(event->name) + 1;
	event->types = site->types;
	event->buffers = ring->buffers;
	ret = make_plan(event, site);
	if (ret)
		goto err;
	event->copy = event_copy_find(event);
	return event;

err:
	free_class(event);
	return ERR_PTR(ret);
}

struct event_class *event_class_get(struct list_head *classes, const struct marker_site *site,
				    const struct ring *ring)
{
	struct event_class *event;
	u32 id = 0;

	list_for_each_entry(event, classes, list) {
		if (event->types == site->types && !strcmp(event->name, site->name) &&
		    !strcmp(event->format, site->format))
			return event;
		id++;
	}
	event = make_class(site, ring);
	if (IS_ERR(event))
		return event;
	event->id = id;
	list_add_tail(&event->list, classes);
	return event;
}

void event_class_free_all(struct list_head *classes)
{
	struct event_class *event, *tmp;

	list_for_each_entry_safe(event, tmp, classes, list) {
		list_del(&event->list);
		free_class(event);
	}
}
