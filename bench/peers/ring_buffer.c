// SPDX-License-Identifier: GPL-2.0-only
/* Stores an event into a ring_buffer, the kernel's buffer that ftrace uses. */
#include <linux/timex.h>
#include "compat.h"
#include "peer.h"
#include "store.h"

#define BYTES_PER_CPU	262144ul

static struct trace_buffer *buffer;

void notrace marker_bench_ring_buffer_store(int count, void *pointer)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, 3 * sizeof(u64));
	u64 *words;

	if (!event)
		return;
	words = ring_buffer_event_data(event);
	words[0] = get_cycles();
	words[1] = count;
	words[2] = (unsigned long)pointer;
	ring_buffer_commit(buffer, event);
}

static int attach(void)
{
	buffer = ring_buffer_alloc(BYTES_PER_CPU, RB_FL_OVERWRITE);
	return buffer ? 0 : -ENOMEM;
}

static void detach(void)
{
	ring_buffer_free(buffer);
	buffer = NULL;
}

const struct bench_peer marker_bench_peer_ring_buffer = {
	.name = "ring_buffer", .attach = attach, .detach = detach,
};
