// SPDX-License-Identifier: GPL-2.0-only
/* Sessions and classes as text. */
#include <linux/seq_file.h>
#include "describe.h"
#include "items.h"
#include "session.h"
#include "type.h"

static void describe_clock(struct seq_file *m, const struct marker_ctf_session *session)
{
	seq_printf(m, "clock\t%s\nclock.hz\t%llu\nclock.value\t%llu\nclock.realtime\t%llu\n",
		   session->ring.use_counter ? "tsc" : "mono", session->clock_hz,
		   session->clock_value, session->clock_realtime);
}

void marker_ctf_describe_session(struct seq_file *m, const struct marker_ctf_session *session)
{
	seq_printf(m, "name\t%s\nsize\t%lu\nmode\t%s\npacket\t%lu\naddresses\t%s\n", session->name,
		   session->config.size, session->config.overwrite ? "overwrite" : "discard",
		   RING_PACKET, session->config.raw_addresses ? "raw" : "hashed");
	if (session->clock_hz)
		describe_clock(m, session);
}

static void describe_context(struct seq_file *m, u32 items)
{
	unsigned int i;

	seq_puts(m, items ? "\t" : "\t-");
	for (i = 0; items; i++, items >>= 1)
		if (items & 1)
			seq_printf(m, "%s%s", marker_ctf_item_name(i), items > 1 ? "," : "");
}

static void describe_names(struct seq_file *m, const struct marker_ctf_class *event)
{
	unsigned int i;

	seq_puts(m, event->nfields ? "\t" : "\t-");
	for (i = 0; i < event->nfields; i++)
		seq_printf(m, "%s%s", i ? "," : "", event->names[i]);
}

void marker_ctf_describe_columns(struct seq_file *m)
{
	seq_puts(m, "#id\tmarker\tfields\tformat\tcontext\tnames\n");
}

void marker_ctf_describe_class(struct seq_file *m, const struct marker_ctf_class *event)
{
	const struct marker_ctf_field *field;

	seq_printf(m, "%u\t%s\t%s", event->id, event->name, event->nfields ? "" : "-");
	for (field = event->fields; field < event->fields + event->nfields; field++)
		seq_printf(m, "%s%s:%u", field > event->fields ? "," : "",
			   marker_ctf_type_name(field->type), field->base);
	seq_putc(m, '\t');
	seq_escape(m, event->format, "\t\n\\");
	describe_context(m, event->context);
	describe_names(m, event);
	seq_putc(m, '\n');
}
