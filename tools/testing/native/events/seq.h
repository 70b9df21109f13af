/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts that ftrace prints, in a program; tracing.h includes this. */
#ifndef EVENTS_SEQ_H
#define EVENTS_SEQ_H

#include "env.h"

/* linux/trace_seq.h */

struct seq_buf {
	char *buffer;
	size_t size, len;
};

struct trace_seq {
	struct seq_buf seq;
};

enum print_line_t { TRACE_TYPE_PARTIAL_LINE, TRACE_TYPE_HANDLED };

static inline size_t seq_buf_get_buf(struct seq_buf *seq, char **to)
{
	*to = seq->buffer + seq->len;
	return seq->len < seq->size ? seq->size - seq->len : 0;
}

static inline void seq_buf_set_overflow(struct seq_buf *seq)
{
	seq->len = seq->size + 1;
}

static inline void seq_buf_commit(struct seq_buf *seq, int length)
{
	seq->len += length;
}

__printf(2, 3) void trace_seq_printf(struct trace_seq *seq, const char *format, ...);
#define trace_seq_putc(seq, c)		trace_seq_printf(seq, "%c", c)
#define trace_handle_return(s)						\
	((s)->seq.len > (s)->seq.size ? TRACE_TYPE_PARTIAL_LINE : TRACE_TYPE_HANDLED)

#endif
