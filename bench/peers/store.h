/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The buffers of the kernel as peers: the cost of storing one event of three
 * words (counter and the site's arguments) in each, without a gate in front.
 *
 *	relay		relay_reserve(), then the words
 *	ring_buffer	reserve, the words, commit; it adds a time of its own
 *	trace_printk	as the macro with a constant format: a pointer to
 *			the format and the arguments, in binary
 *
 * All buffers wrap, and have no reader.  Enabled runs only.
 */
#ifndef PEERS_STORE_H
#define PEERS_STORE_H

void marker_bench_relay_store(int count, void *pointer);
void marker_bench_ring_buffer_store(int count, void *pointer);

#define MARK_RELAY(name, fmt, ...)		marker_bench_relay_store(__VA_ARGS__)
#define MARK_RING_BUFFER(name, fmt, ...)	marker_bench_ring_buffer_store(__VA_ARGS__)
/* Use 0 for _THIS_IP_, because gcc would move the load of _THIS_IP_ out of the loop. */
#define MARK_TRACE_PRINTK(name, fmt, ...)	__trace_bprintk(0, fmt "\n", __VA_ARGS__)

#endif
