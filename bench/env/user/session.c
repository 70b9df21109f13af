// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session of the probe ctf, in a program: one buffer that overwrites, and
 * no reader.  The functions that store events are those of the kernel.
 *
 * A program has no preemption to disable and no other CPUs, so the buffer is
 * found without the CPU's base.  A kernel on x86-64 needs one instruction
 * more for that, and two or three for preemption.
 */
#include <err.h>
#include "ctf/ctf.h"

#define SIZE		BIT(20)

struct marker_ctf_session {
	struct marker_ctf_ring ring;
	struct marker_ctf_classes classes;
	struct marker_ctf_counts counts;
};

static struct marker_ctf_session session = {
	.ring = { .overwrite = true, .use_counter = true },
};

static u8 memory[SIZE] __aligned(4096);

static int make_buffer(void)
{
	struct marker_ctf_ring *ring = &session.ring;

	if (ring->buffers)
		return 0;
	ring->buffers = alloc_percpu(struct marker_ctf_buffer);
	if (!ring->buffers)
		return -ENOMEM;
	/* There is no other buffer: no snapshot is taken. */
	marker_ctf_buffer_clear(ring->buffers, ring, &session.counts, ring->buffers, 0, 0);
	return marker_ctf_buffer_init(ring->buffers, memory, SIZE);
}

struct marker_ctf_session *marker_ctf_session_attach(const char *name, bool raw)
{
	int ret = *name ? -ENOENT : make_buffer();

	return ret ? ERR_PTR(ret) : &session;
}

/* The memory stays: the next one continues where this one ends. */
void marker_ctf_session_detach(struct marker_ctf_session *unused)
{
}

struct marker_ctf_class *marker_ctf_session_class(struct marker_ctf_session *unused,
						  const struct marker_site *site, u32 context)
{
	return marker_ctf_class_get(&session.classes, site, context, &session.ring);
}

static __attribute__((constructor)) void session_begin(void)
{
	marker_ctf_classes_init(&session.classes);
	if (marker_probe_register(&marker_ctf_probe))
		errx(1, "the probe ctf cannot be registered");
}
