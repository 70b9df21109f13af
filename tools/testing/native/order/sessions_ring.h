/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the ring, the clock, classes and dumps that the sessions call, for sessions.c.
 */
#ifndef ORDER_SESSIONS_RING_H
#define ORDER_SESSIONS_RING_H

/* The purpose of a wait: the state of the only session that tests have, when it begins. */
static struct marker_ctf_session *tested;

static void synchronize_rcu(void)
{
	order_note("wait", NULL);
	if (!tested)
		return;
	if (!tested->open)
		order_note("wait, closed", tested);
	if (READ_ONCE(tested->ring.stopped))
		order_note("wait, stopped", tested);
}

static int buffer_error, clock_error, dump_error;

int marker_ctf_buffer_init(struct marker_ctf_buffer *buffer, void *data, unsigned long size)
{
	if (buffer_error)
		return buffer_error;
	buffer->data = data;
	order_note("buffer", buffer);
	return 0;
}

void marker_ctf_buffer_exit(struct marker_ctf_buffer *buffer)
{
	if (buffer->data)
		order_note("no buffer", buffer);
	buffer->data = NULL;
}

void marker_ctf_buffer_clear(struct marker_ctf_buffer *buffer, const struct marker_ctf_ring *ring,
			     struct marker_ctf_counts *counts,
			     const struct marker_ctf_buffer *other, u32 cpu, u64 now)
{
	if (other != buffer + 1 && other + 1 != buffer)
		order_expect(false, "a buffer knows the other one of its CPU");
	order_note("clear", buffer);
	memset(buffer, 0, sizeof(*buffer));
	buffer->cpu = cpu;
	buffer->counts = counts;
}

void marker_ctf_buffer_update(struct marker_ctf_buffer *buffer)
{
	order_note(tested->ring.stopped ? "stop writers" : "continue writers", buffer);
}

void marker_ctf_ring_flush(struct marker_ctf_buffer *buffer)
{
	order_note("flush", buffer);
}

void marker_ctf_ring_stop(struct marker_ctf_buffer *buffer)
{
	order_note("stop", buffer);
}

void marker_ctf_ring_seal(struct marker_ctf_buffer *buffer, bool ended)
{
	order_note(ended ? "seal for ever" : "seal", buffer);
	if (ended && !tested->ring.stopped)
		order_expect(false, "a panic stops a ring before it is sealed");
}

void marker_ctf_ring_swap(struct marker_ctf_ring *ring, struct marker_ctf_buffer __percpu *to)
{
	order_note("swap", to);
	ring->buffers = to;
}

int marker_ctf_clock_check(enum marker_ctf_clock clock)
{
	return clock_error;
}

u64 marker_ctf_clock_choose(enum marker_ctf_clock clock, struct marker_ctf_ring *ring)
{
	return 1000 + clock;
}

u64 notrace marker_ctf_clock_read(const struct marker_ctf_ring *ring)
{
	order_note("read the clock", ring);
	return 4711;
}

void marker_ctf_clock_times(const struct marker_ctf_ring *ring, struct marker_ctf_time *time)
{
	*time = (struct marker_ctf_time){ 1, 2, 3 };
}

int marker_ctf_dump_session(struct marker_ctf_dump *dump, struct marker_ctf_session *session)
{
	return dump_error;
}

int marker_ctf_dump_class(struct marker_ctf_dump *dump, const struct marker_ctf_class *event)
{
	if (!dump_error)
		order_note("describe", event);
	return dump_error;
}

void marker_ctf_dump_free(struct marker_ctf_dump *dump)
{
	order_note("no description", NULL);
}

static struct marker_ctf_class class = { .id = 2 };

void marker_ctf_classes_init(struct marker_ctf_classes *classes)
{
}

struct marker_ctf_class *marker_ctf_class_get(struct marker_ctf_classes *classes,
					      const struct marker_site *site, u32 context,
					      const struct marker_ctf_ring *ring)
{
	return &class;
}

void marker_ctf_class_free_all(struct marker_ctf_classes *classes)
{
	order_note("no classes", NULL);
}

const char *marker_ctf_probe_session(const char *args, char name[SESSION_NAME_MAX])
{
	strcpy(name, "one");
	return args;
}

#define LOCKED(statement)						\
({									\
	typeof(statement) __result;					\
									\
	mutex_lock(&marker_ctf_session_lock);				\
	__result = (statement);						\
	mutex_unlock(&marker_ctf_session_lock);				\
	__result;							\
})

#endif
