/* SPDX-License-Identifier: GPL-2.0-only */
/* What the versions of the kernel call differently, by one name. */
#ifndef PEERS_COMPAT_H
#define PEERS_COMPAT_H

#include <linux/ring_buffer.h>
#include <linux/version.h>

static __always_inline void ring_buffer_commit(struct trace_buffer *buffer,
					       struct ring_buffer_event *event)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	ring_buffer_unlock_commit(buffer, event);
#else
	ring_buffer_unlock_commit(buffer);
#endif
}

#endif
