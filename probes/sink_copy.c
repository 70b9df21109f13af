// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that sites call: each stores one event.
 *
 * Context: that of the site.  Preemption is off from finding the CPU's buffer
 * to the commit.  Nothing here is traced or can be: no site is in it.
 */
#include <linux/stdarg.h>
#include "sink_event.h"

/* Texts are read without a check, as printk() does: so not from user space. */
#define TEXT_NULL	"(null)"
#define TEXT_ERROR	"(efault)"

/* x86 and arm64 store anywhere; what others need, the compiler knows. */
#define STORE(type, to, value)						\
do {									\
	struct { type as; } __packed *__to = (void *)(to);		\
									\
	__to->as = (type)(value);					\
} while (0)

struct place {
	struct ring_buffer *buffer;
	long at;
};

/* Where the arguments of an event of @length bytes go; NULL: it is lost. */
static __always_inline u8 *begin(struct place *place, const struct event_class *event,
				 unsigned int length)
{
	u64 time;
	u8 *to;

	preempt_disable_notrace();
	place->buffer = this_cpu_ptr(event->ring->buffers);
	place->at = ring_reserve(place->buffer, length, &time);
	if (unlikely(place->at < 0))
		return NULL;
	to = ring_at(place->buffer, place->at);
	STORE(u64, to, time);
	STORE(u32, to + 8, event->id);
	return to + EVENT_HEADER;
}

/* Also when begin() returned NULL. */
static __always_inline void end(const struct place *place, unsigned int length)
{
	if (likely(place->at >= 0))
		ring_commit(place->buffer, place->at, length | RING_ONE_EVENT);
	preempt_enable_notrace();
}

#define PARAMETERS_0
#define PARAMETERS_1	, unsigned long a
#define PARAMETERS_2	, unsigned long a, unsigned long b
#define PARAMETERS_3	PARAMETERS_2, unsigned long c
#define PARAMETERS_4	PARAMETERS_3, unsigned long d

/* A function for @n arguments of the sizes that sum up to @bytes. */
#define COPY(suffix, n, bytes, stores)					\
static void notrace copy_##suffix(const struct probe_link *link,	\
				  const struct marker_site *site PARAMETERS_##n) \
{									\
	struct place place;						\
	u8 *to = begin(&place, link->data, EVENT_HEADER + (bytes));	\
									\
	if (likely(to)) {						\
		stores;							\
	}								\
	end(&place, EVENT_HEADER + (bytes));				\
}

COPY(none, 0, 0, (void)to)
COPY(4, 1, 4, STORE(u32, to, a))
COPY(8, 1, 8, STORE(u64, to, a))
COPY(44, 2, 8, STORE(u32, to, a); STORE(u32, to + 4, b))
COPY(48, 2, 12, STORE(u32, to, a); STORE(u64, to + 4, b))
COPY(84, 2, 12, STORE(u64, to, a); STORE(u32, to + 8, b))
COPY(88, 2, 16, STORE(u64, to, a); STORE(u64, to + 8, b))
COPY(444, 3, 12, STORE(u32, to, a); STORE(u32, to + 4, b); STORE(u32, to + 8, c))
COPY(888, 3, 24, STORE(u64, to, a); STORE(u64, to + 8, b); STORE(u64, to + 16, c))
COPY(8888, 4, 32, STORE(u64, to, a); STORE(u64, to + 8, b); STORE(u64, to + 16, c);
     STORE(u64, to + 24, d))

/* The sizes as decimal digits, the first argument's first. */
static const struct {
	unsigned int sizes;
	marker_fn *copy;
} made[] = {
	{ 0, (marker_fn *)copy_none },
	{ 4, (marker_fn *)copy_4 }, { 8, (marker_fn *)copy_8 },
	{ 44, (marker_fn *)copy_44 }, { 48, (marker_fn *)copy_48 },
	{ 84, (marker_fn *)copy_84 }, { 88, (marker_fn *)copy_88 },
	{ 444, (marker_fn *)copy_444 }, { 888, (marker_fn *)copy_888 },
	{ 8888, (marker_fn *)copy_8888 },
};

static u8 *store_word(u8 *to, unsigned int size, unsigned long word)
{
	switch (size) {
	case 1:
		*to = word;
		break;
	case 2:
		STORE(u16, to, word);
		break;
	case 4:
		STORE(u32, to, word);
		break;
	default:
		STORE(u64, to, word);
	}
	return to + size;
}

static void notrace copy_numbers(const struct probe_link *link,
				 const struct marker_site *site, ...)
{
	const struct event_class *event = link->data;
	unsigned int i, length = event->length;
	struct place place;
	va_list words;
	u8 *to;

	to = begin(&place, event, length);
	va_start(words, site);
	for (i = 0; to && i < event->nfields; i++)
		to = store_word(to, event_type_size(event->fields[i].type),
				va_arg(words, unsigned long));
	va_end(words);
	end(&place, length);
}

struct text {
	const char *from;
	unsigned int length;		/* without the 0 */
};

/* Looked at once, before there is room for it. */
static void measure(struct text *text, const struct event_field *field,
		    const unsigned long *words)
{
	unsigned long word = words[field->arg];
	int most = field->most - 1;

	if (field->precision_arg >= 0 && (int)words[field->precision_arg] >= 0)
		most = min(most, (int)words[field->precision_arg]);
	text->from = (const char *)word;
	if (word < PAGE_SIZE)
		text->from = TEXT_NULL;
	else if (IS_ERR_VALUE(word))
		text->from = TEXT_ERROR;
	text->length = strnlen(text->from, most);
}

/* Somebody may have shortened it meanwhile: a 0 in it would tear the event. */
static u8 *store_text(u8 *to, const struct text *text)
{
	unsigned int now;

	memcpy(to, text->from, text->length);
	to[text->length] = '\0';
	now = strlen((char *)to);
	memset(to + now, '?', text->length - now);
	return to + text->length + 1;
}

static void notrace copy_any(const struct probe_link *link,
			     const struct marker_site *site, ...)
{
	const struct event_class *event = link->data;
	unsigned long words[MARKER_ARGS_MAX];
	struct text texts[MARKER_ARGS_MAX];
	unsigned int i, length = event->length;
	const struct event_field *field;
	struct place place;
	va_list ap;
	u8 *to;

	va_start(ap, site);
	for (i = 0; i < event->nfields; i++)
		words[i] = va_arg(ap, unsigned long);
	va_end(ap);
	for (i = 0; i < event->nfields; i++) {
		field = &event->fields[i];
		if (field->type != MARKER_TYPE_STR)
			continue;
		measure(&texts[i], field, words);
		length += texts[i].length + 1;
	}
	to = begin(&place, event, length);
	for (i = 0; to && i < event->nfields; i++) {
		field = &event->fields[i];
		if (field->type == MARKER_TYPE_STR)
			to = store_text(to, &texts[i]);
		else
			to = store_word(to, event_type_size(field->type), words[i]);
	}
	end(&place, length);
}

marker_fn *event_copy_find(const struct event_class *event)
{
	unsigned int i, sizes = 0;

	if (event->has_text)
		return copy_any;
	for (i = 0; i < event->nfields; i++)
		sizes = sizes * 10 + event_type_size(event->fields[i].type);
	for (i = 0; i < ARRAY_SIZE(made); i++)
		if (made[i].sizes == sizes)
			return made[i].copy;
	return copy_numbers;
}
