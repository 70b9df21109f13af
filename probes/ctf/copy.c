// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that sites call: each stores one event.
 *
 * Context: as at the site.  Preemption is off from the choice of the CPU's buffer
 * to the commit.  Nothing here is traced, and no function here has a site.
 */
#include "fetch.h"
#include "copy.h"
#include "items.h"
#include "stack.h"
#include "type.h"

struct place {
	struct marker_ctf_buffer *buffer;
	unsigned long offset;
	u8 *to;				/* behind the header */
	unsigned int header;		/* bytes of it */
};

static __always_inline void begin_at(struct place *place, const struct marker_ctf_class *event,
				     const struct marker_ctf_room *room)
{
	place->offset = marker_ctf_ring_offset(place->buffer, room->at);
	place->to = marker_ctf_header_put(place->buffer->data + place->offset, room->form,
					  event->id, room->time);
	place->header = marker_ctf_header_bytes(room->form);
}

/* Room for an event of @length bytes behind its header; false: the event is lost. */
static bool begin(struct place *place, const struct marker_ctf_class *event, unsigned int length)
{
	struct marker_ctf_room room MARKER_NOT_CLEARED;
	int ret;

	preempt_disable_notrace();
	do {
		place->buffer = this_cpu_ptr(READ_ONCE(event->ring->buffers));
		ret = marker_ctf_ring_reserve(place->buffer, event->form, length, &room);
	} while (ret == -EAGAIN);
	if (!ret) {
		begin_at(place, event, &room);
		return true;
	}
	preempt_enable_notrace();
	return false;
}

/* Like begin(), in the quick case; false: the caller has to use begin(). @form: of the class. */
static __always_inline bool try_begin(struct place *place, const struct marker_ctf_class *event,
				      enum marker_ctf_form form, unsigned int length,
				      bool use_counter)
{
	struct marker_ctf_room room MARKER_NOT_CLEARED;

	preempt_disable_notrace();
	/* Before all else, so that few registers have to be kept over the call. */
	if (!use_counter)
		room.time = ktime_get_mono_fast_ns();
	place->buffer = this_cpu_ptr(READ_ONCE(event->ring->buffers));
	if (likely(marker_ctf_ring_try_reserve(place->buffer, form, length, use_counter, &room))) {
		begin_at(place, event, &room);
		return true;
	}
	preempt_enable_notrace();
	return false;
}

/* Room for an event of any class; false: the event is lost. */
static __always_inline bool begin_any(struct place *place, const struct marker_ctf_class *event,
				      unsigned int length)
{
	bool use_counter = event->ring->use_counter;

	return (event->form == FORM_COMPACT &&
		likely(try_begin(place, event, FORM_COMPACT, length, use_counter))) ||
	       (event->form == FORM_WIDE &&
		likely(try_begin(place, event, FORM_WIDE, length, use_counter))) ||
	       begin(place, event, length);
}

/* Not when there was no place. */
static __always_inline void end(const struct place *place, unsigned int length)
{
	length += place->header;
	marker_ctf_ring_commit(place->buffer, place->offset, length | RING_ONE_EVENT);
	preempt_enable_notrace();
}

#define PUT(type, offset, value)	MARKER_CTF_STORE(type, place.to + (offset), value)

#define PARAMETERS_0		const struct marker_ctf_class *event
#define PARAMETERS_1		PARAMETERS_0, unsigned long a
#define PARAMETERS_2		PARAMETERS_1, unsigned long b
#define PARAMETERS_3		PARAMETERS_2, unsigned long c
#define PARAMETERS_4		PARAMETERS_3, unsigned long d
#define ARGUMENTS_0		event
#define ARGUMENTS_1		ARGUMENTS_0, a
#define ARGUMENTS_2		ARGUMENTS_1, b
#define ARGUMENTS_3		ARGUMENTS_2, c
#define ARGUMENTS_4		ARGUMENTS_3, d

/* Items of the context that put_task() stores, and copy_numbers() one by one. */
#define ITEMS_TASK	(BIT(MARKER_CONTEXT_TID) | BIT(MARKER_CONTEXT_PID))
#define TASK_BYTES	8

static __always_inline void put_task(struct place *place)
{
	MARKER_CTF_STORE(u32, place->to, marker_task_tid());
	MARKER_CTF_STORE(u32, place->to + 4, marker_task_pid());
	place->to += TASK_BYTES;
}

/* A function that stores an event in the quick case, and else calls slow_##suffix(). */
#define COPY_QUICKLY(prefix, suffix, n, bytes, stores, form, use_counter) \
static void notrace prefix##_##suffix(MARKER_PARAMS)			\
{									\
	const struct marker_ctf_class *event = link->data;		\
	struct place place MARKER_NOT_CLEARED;				\
									\
	if (unlikely(!try_begin(&place, event, form, bytes, use_counter))) { \
		slow_##suffix(ARGUMENTS_##n);				\
		return;							\
	}								\
	stores;								\
	end(&place, bytes);						\
}

#define COPY_EACH_WAY(suffix, n, bytes, stores)			\
static noinline void notrace slow_##suffix(PARAMETERS_##n)		\
{									\
	struct place place MARKER_NOT_CLEARED;				\
									\
	if (!begin(&place, event, bytes))				\
		return;							\
	stores;								\
	end(&place, bytes);						\
}									\
									\
COPY_QUICKLY(counter, suffix, n, bytes, stores, FORM_COMPACT, true)	\
COPY_QUICKLY(mono, suffix, n, bytes, stores, FORM_COMPACT, false)	\
COPY_QUICKLY(wide_counter, suffix, n, bytes, stores, FORM_WIDE, true)	\
COPY_QUICKLY(wide_mono, suffix, n, bytes, stores, FORM_WIDE, false)

/*
 * Functions for @n arguments of the sizes that sum up to @bytes, without and with the context
 * tid,pid, for compact and for wide headers.  Those for the counter call nothing but, at their
 * ends, the slow ones, so they save no registers.
 */
#define COPY(suffix, n, bytes, stores)					\
COPY_EACH_WAY(suffix, n, bytes, stores)					\
COPY_EACH_WAY(task_##suffix, n, (bytes) + TASK_BYTES, put_task(&place); stores)

COPY(none, 0, 0, barrier())
COPY(4, 1, 4, PUT(u32, 0, a))
COPY(8, 1, 8, PUT(u64, 0, a))
COPY(44, 2, 8, PUT(u32, 0, a); PUT(u32, 4, b))
COPY(48, 2, 12, PUT(u32, 0, a); PUT(u64, 4, b))
COPY(84, 2, 12, PUT(u64, 0, a); PUT(u32, 8, b))
COPY(88, 2, 16, PUT(u64, 0, a); PUT(u64, 8, b))
COPY(444, 3, 12, PUT(u32, 0, a); PUT(u32, 4, b); PUT(u32, 8, c))
COPY(888, 3, 24, PUT(u64, 0, a); PUT(u64, 8, b); PUT(u64, 16, c))
COPY(8888, 4, 32, PUT(u64, 0, a); PUT(u64, 8, b); PUT(u64, 16, c); PUT(u64, 24, d))

/* The functions for the same sizes and the same form of the header. */
struct functions {
	marker_fn *counter, *mono, *counter_task, *mono_task;
};

/* The functions by the sizes as decimal digits, the first argument's first. */
#define MADE(sizes, suffix)						\
	{ sizes,							\
	  { counter_##suffix, mono_##suffix,				\
	    counter_task_##suffix, mono_task_##suffix },		\
	  { wide_counter_##suffix, wide_mono_##suffix,			\
	    wide_counter_task_##suffix, wide_mono_task_##suffix } }
static const struct {
	unsigned int sizes;
	struct functions compact, wide;
} made[] = {
	MADE(0, none), MADE(4, 4), MADE(8, 8), MADE(44, 44), MADE(48, 48), MADE(84, 84),
	MADE(88, 88), MADE(444, 444), MADE(888, 888), MADE(8888, 8888),
};

static __always_inline u8 *store_word(u8 *to, unsigned int size, unsigned long word)
{
	switch (size) {
	case 1:
		*to = word;
		break;
	case 2:
		MARKER_CTF_STORE(u16, to, word);
		break;
	case 4:
		MARKER_CTF_STORE(u32, to, word);
		break;
	default:
		MARKER_CTF_STORE(u64, to, word);
	}
	return to + size;
}

static void notrace copy_numbers(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	const struct marker_ctf_class *event = link->data;
	unsigned int i, length = event->length;
	struct place place MARKER_NOT_CLEARED;
	u8 *to;

	if (!begin_any(&place, event, length))
		return;
	marker_words_given(words, site, a, b, c, d);
	to = place.to;
	if (event->context & BIT(MARKER_CONTEXT_TID))
		to = store_word(to, sizeof(u32), marker_task_tid());
	if (event->context & BIT(MARKER_CONTEXT_PID))
		to = store_word(to, sizeof(u32), marker_task_pid());
	for (i = 0; i < event->nfields; i++)
		to = store_word(to, event->fields[i].size, words[i]);
	end(&place, length);
}

/*
 * Texts of an event, read before the event has room in a packet, since their lengths are needed.
 * A text for which @bytes has no room is read again when the event has room.
 */
struct texts {
	unsigned int lengths[MARKER_ARGS_MAX];
	const char *kept[MARKER_ARGS_MAX];	/* NULL: the text has to be read again */
	unsigned int used;
	char bytes[2 * MARKER_TEXT_MAX];
};

/* A function of its own, so that its text is on the stack only while it runs. */
static noinline unsigned int notrace measure(const struct marker_arg *arg,
					     const unsigned long *words)
{
	char text[MARKER_TEXT_MAX] MARKER_NOT_CLEARED;

	return marker_fetch_text(arg, words, text, sizeof(text));
}

static __always_inline unsigned int read_text(struct texts *texts, unsigned int i,
					      const struct marker_arg *arg,
					      const unsigned long *words)
{
	unsigned int room = sizeof(texts->bytes) - texts->used;
	char *to = texts->bytes + texts->used;

	if (unlikely(room < MARKER_TEXT_MAX)) {
		texts->kept[i] = NULL;
		texts->lengths[i] = measure(arg, words);
	} else {
		texts->kept[i] = to;
		texts->lengths[i] = marker_fetch_text(arg, words, to, MARKER_TEXT_MAX);
		texts->used += texts->lengths[i];
	}
	return texts->lengths[i] + 1;
}

/*
 * Read the text again. Another CPU may have shortened it meanwhile, and a 0 in it would tear the
 * event.
 */
static u8 *read_again(u8 *to, const struct marker_arg *arg, const unsigned long *words,
		      unsigned int length)
{
	unsigned int now = marker_fetch_text(arg, words, (char *)to, length + 1);

	memset(to + now, '?', length - now);
	to[length] = '\0';
	return to + length + 1;
}

static __always_inline u8 *store_text(u8 *to, const struct texts *texts, unsigned int i,
				      const struct marker_arg *arg, const unsigned long *words)
{
	unsigned int length = texts->lengths[i];

	if (unlikely(!texts->kept[i]))
		return read_again(to, arg, words, length);
	memcpy(to, texts->kept[i], length);
	to[length] = '\0';
	return to + length + 1;
}

static u8 *store_bytes(u8 *to, const struct marker_arg *arg, const unsigned long *words)
{
	marker_fetch_bytes(arg, words, to);
	return to + arg->width;
}

/*
 * Store the items in the order of enum marker_context. @preempt: value at the site, before
 * begin().
 */
static __always_inline u8 *store_context(u8 *to, u32 items, unsigned long preempt)
{
	enum marker_context which;
	unsigned long word;

	for (; items; items &= items - 1) {
		which = __ffs(items);
		word = which == MARKER_CONTEXT_PREEMPT ? preempt : marker_context_read(which);
		if (which == MARKER_CONTEXT_COMM) {
			memcpy(to, (const char *)word, MARKER_COMM_MAX);
			to += MARKER_COMM_MAX;
		} else {
			to = store_word(to, marker_ctf_type_size(marker_context_kinds[which].type),
					word);
		}
	}
	return to;
}

static __always_inline u8 *store_stack(u8 *to, const struct marker_ctf_stack *stack)
{
	*to++ = stack->n;
	memcpy(to, stack->frames, stack->n * sizeof(*stack->frames));
	return to + stack->n * sizeof(*stack->frames);
}

static __always_inline unsigned int stack_bytes(const struct marker_ctf_stack *stack)
{
	return 1 + stack->n * sizeof(*stack->frames);
}

/*
 * Store an event of any class. @items: items of its context; @stacks: those items that are stacks.
 */
static __always_inline void copy_event(const struct marker_ctf_class *event,
				       const unsigned long *words, u32 items,
				       const struct marker_ctf_stack *stacks, unsigned int nstacks)
{
	unsigned long preempt = items ? marker_context_read(MARKER_CONTEXT_PREEMPT) : 0;
	unsigned int i, length = event->length;
	struct texts texts MARKER_NOT_CLEARED;
	struct place place MARKER_NOT_CLEARED;
	u8 *to;

	texts.used = 0;
	for (i = 0; event->fetches && i < event->nfields; i++)
		if (!event->fields[i].size)
			length += read_text(&texts, i, &event->args[i], words);
	for (i = 0; i < nstacks; i++)
		length += stack_bytes(&stacks[i]);
	if (!begin_any(&place, event, length))
		return;
	to = store_context(place.to, items & ~ITEM_STACKS, preempt);
	for (i = 0; i < nstacks; i++)
		to = store_stack(to, &stacks[i]);
	for (i = 0; i < event->nfields; i++) {
		if (event->fields[i].is_bytes)
			to = store_bytes(to, &event->args[i], words);
		else if (event->fields[i].size)
			to = store_word(to, event->fields[i].size, words[i]);
		else
			to = store_text(to, &texts, i, &event->args[i], words);
	}
	end(&place, length);
}

static void notrace copy_any(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;

	marker_words_given(words, site, a, b, c, d);
	copy_event(link->data, words, 0, NULL, 0);
}

static void notrace copy_context(MARKER_PARAMS)
{
	const struct marker_ctf_class *event = link->data;
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;

	marker_words_given(words, site, a, b, c, d);
	copy_event(event, words, event->context, NULL, 0);
}

/* Apart, for the stack that it takes itself. */
static void notrace copy_stacks(MARKER_PARAMS)
{
	const struct marker_ctf_class *event = link->data;
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	struct marker_ctf_stack stacks[2] MARKER_NOT_CLEARED;
	unsigned int nstacks = 0;

	if (event->context & ITEM_KSTACK)
		marker_ctf_stack_kernel(&stacks[nstacks++]);
	if (event->context & ITEM_USTACK)
		marker_ctf_stack_user(&stacks[nstacks++]);
	marker_words_given(words, site, a, b, c, d);
	copy_event(event, words, event->context, stacks, nstacks);
}

/* The function for exactly these sizes, or NULL. */
static marker_fn *find_made(const struct marker_ctf_class *event, unsigned int sizes)
{
	bool counter = event->ring->use_counter;
	const struct functions *found;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(made) && event->form != FORM_EXTENDED; i++) {
		if (made[i].sizes != sizes)
			continue;
		found = event->form == FORM_COMPACT ? &made[i].compact : &made[i].wide;
		if (event->context)
			return counter ? found->counter_task : found->mono_task;
		return counter ? found->counter : found->mono;
	}
	return NULL;
}

marker_fn *marker_ctf_copy_find(const struct marker_ctf_class *event)
{
	unsigned int i, sizes = 0;

	if (event->context & ITEM_STACKS)
		return copy_stacks;
	if (event->context & ~ITEMS_TASK || (event->context && event->fetches))
		return copy_context;
	if (event->fetches)
		return copy_any;
	if (event->context && event->context != ITEMS_TASK)
		return copy_numbers;
	for (i = 0; i < event->nfields; i++)
		sizes = sizes * 10 + marker_ctf_type_size(event->fields[i].type);
	return find_made(event, sizes) ?: copy_numbers;
}
