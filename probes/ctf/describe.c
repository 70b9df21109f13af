// SPDX-License-Identifier: GPL-2.0-only
/* Sessions and classes as text. */
#include <linux/seq_file.h>
#include "describe.h"
#include "escape.h"
#include "items.h"
#include "session.h"
#include "symbol.h"
#include "type.h"

static void describe_time(struct seq_file *m, const char *prefix,
			  const struct marker_ctf_time *time)
{
	seq_printf(m, "%s.value\t%llu\n%s.mono\t%llu\n%s.realtime\t%llu\n", prefix, time->value,
		   prefix, time->mono, prefix, time->realtime);
}

/* When the session was opened, and now: how fast the clock goes is between the two. */
static void describe_clock(struct seq_file *m, const struct marker_ctf_session *session)
{
	struct marker_ctf_time now;

	marker_ctf_clock_times(&session->ring, &now);
	seq_printf(m, "clock\t%s\nclock.hz\t%llu\n", session->ring.use_counter ? "tsc" : "mono",
		   session->clock_hz);
	describe_time(m, "clock", &session->opened);
	describe_time(m, "clock.now", &now);
}

void marker_ctf_describe_session(struct seq_file *m, const struct marker_ctf_session *session)
{
	seq_printf(m, "name\t%s\nsize\t%lu\nmode\t%s\npacket\t%lu\nformat\t%u\naddresses\t%s\n",
		   session->name, session->config.size,
		   session->config.overwrite ? "overwrite" : "discard", RING_PACKET, RING_FORMAT,
		   session->config.raw_addresses ? "raw" : "hashed");
	if (session->clock_hz)
		describe_clock(m, session);
}

static void describe_context(struct seq_file *m, u32 items)
{
	unsigned int i;

	seq_puts(m, items ? "" : "-");
	for (i = 0; items; i++, items >>= 1)
		if (items & 1) {
			seq_puts(m, marker_ctf_item_name(i));
			seq_puts(m, items > 1 ? "," : "");
		}
}

static void describe_symbols(struct seq_file *m, const struct marker_ctf_class *event,
			     unsigned int i)
{
	struct marker_symbol symbol = { };
	char separator = ':';

	seq_puts(m, "enum");
	while (marker_symbol_next(event->format, &event->args[i], &symbol)) {
		seq_printf(m, "%c%.*s=%d", separator, symbol.length, symbol.name, symbol.value);
		separator = ';';
	}
}

static void describe_type(struct seq_file *m, const struct marker_ctf_field *field)
{
	seq_puts(m, field->is_bytes ? "bytes" : marker_ctf_type_name(field->type));
	seq_put_decimal_ull(m, ":", field->is_bytes ? field->size : field->base);
}

static void describe_fields(struct seq_file *m, const struct marker_ctf_class *event)
{
	unsigned int i;

	seq_puts(m, event->nfields ? "" : "-");
	for (i = 0; i < event->nfields; i++) {
		const struct marker_ctf_field *field = &event->fields[i];

		if (i)
			seq_putc(m, ',');
		if (event->args[i].is_symbolic)
			describe_symbols(m, event, i);
		else
			describe_type(m, field);
	}
}

void marker_ctf_describe_columns(struct seq_file *m)
{
	seq_puts(m, "#id\tmarker\tfields\tformat\tcontext\tnames\n");
}

void marker_ctf_describe_class(struct seq_file *m, const struct marker_ctf_class *event)
{
	size_t start;

	seq_put_decimal_ull(m, "", event->id);
	seq_putc(m, '\t');
	marker_escape(m, event->name);
	seq_putc(m, '\t');
	start = m->count;
	describe_fields(m, event);
	marker_escape_since(m, start);
	seq_putc(m, '\t');
	marker_escape(m, event->format);
	seq_putc(m, '\t');
	describe_context(m, event->context);
	seq_putc(m, '\t');
	seq_puts(m, event->nfields ? event->names : "-");
	seq_putc(m, '\n');
}
