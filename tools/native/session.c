// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session of the probe ctf, in a program: one buffer that overwrites, and
 * no reader.  The functions that store events are those of the kernel.
 *
 * What is not there: preemption to switch off, and other CPUs, so the buffer is
 * found without the CPU's base.  In a kernel on x86-64 that is one instruction
 * more, and two or three for preemption.
 */
#include <err.h>
#include "ctf/ctf.h"

#define SIZE		BIT(20)

static struct marker_ctf_ring ring = { .overwrite = true, .use_counter = true };
static LIST_HEAD(classes);
static u8 memory[SIZE] __aligned(4096);

int marker_ctf_session_attach(bool raw)
{
	if (ring.buffers)
		return 0;
	ring.buffers = alloc_percpu(struct marker_ctf_buffer);
	if (!ring.buffers)
		return -ENOMEM;
	memset(ring.buffers, 0, sizeof(*ring.buffers));
	return marker_ctf_buffer_init(ring.buffers, &ring, 0, memory, SIZE);
}

/* The memory stays: the next one continues where this one ends. */
void marker_ctf_session_detach(void)
{
}

struct marker_ctf_class *marker_ctf_session_class(const struct marker_site *site, u32 context)
{
	return marker_ctf_class_get(&classes, site, context, &ring);
}

static __attribute__((constructor)) void session_begin(void)
{
	if (marker_probe_register(&marker_ctf_probe))
		errx(1, "the probe ctf cannot be registered");
}
