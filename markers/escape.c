// SPDX-License-Identifier: GPL-2.0-only
/* Texts of others in the tables of debugfs. */
#include <linux/seq_file.h>
#include "env.h"
#include "escape.h"

static char letter_of(u8 c)
{
	return c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : c == '\\' ? c : '\0';
}

static unsigned int length_of(u8 c)
{
	/* Nearly all are none of these, and `sites` has a million. */
	if (likely(c >= 0x20 && c != '\\' && c != 0x7f))
		return 1;
	return letter_of(c) ? 2 : 4;
}

/* Write the escape sequence of @c before @end. Return its beginning. */
static char *write_before(char *end, u8 c)
{
	unsigned int length = length_of(c);

	if (length == 1) {
		*--end = c;
		return end;
	}
	if (length == 2) {
		*--end = letter_of(c);
	} else {
		*--end = '0' + (c & 7);
		*--end = '0' + (c >> 3 & 7);
		*--end = '0' + (c >> 6);
	}
	*--end = '\\';
	return end;
}

void marker_escape_since(struct seq_file *m, size_t start)
{
	size_t i, more = 0;
	char *to;

	for (i = start; i < m->count; i++)
		more += length_of(m->buf[i]) - 1;
	if (!more || seq_has_overflowed(m))
		return;
	i = m->count;
	m->count = min(m->count + more, m->size);
	/* After an overflow seq_file writes the record again, into a larger buffer. */
	if (seq_has_overflowed(m))
		return;
	to = m->buf + m->count;
	while (i-- > start)
		to = write_before(to, m->buf[i]);
}
EXPORT_SYMBOL_GPL(marker_escape_since);

void marker_escape(struct seq_file *m, const char *text)
{
	size_t start = m->count;

	seq_puts(m, text);
	marker_escape_since(m, start);
}
EXPORT_SYMBOL_GPL(marker_escape);
