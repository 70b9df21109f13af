// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the results of probes as one table with a line for each value, so that its columns are
 * the same for all probes.
 *
 * Locks: takes marker_mutex.
 */
#include <linux/seq_file.h>
#include "connection.h"
#include "escape.h"
#include "probe.h"
#include "debugfs.h"

struct marker_probe_rows {
	struct seq_file *m;
	const struct marker_connection *conn;
};

void marker_results_show_args(struct seq_file *m, const struct marker_connection *conn)
{
	if (conn->guard.limit)
		seq_printf(m, " first=%lu", conn->guard.limit);
	if (conn->args)
		seq_printf(m, " %s", conn->args);
	if (conn->guard.filter.words)
		seq_printf(m, " if %s", conn->guard.filter.words);
}

void marker_probe_row(struct marker_probe_rows *rows, const char *what, u64 value, const char *key,
		      ...)
{
	const struct marker_connection *conn = rows->conn;
	struct seq_file *m = rows->m;
	size_t start;
	va_list args;

	seq_printf(m, "%u\t", conn->id);
	marker_escape(m, conn->selector.text);
	seq_putc(m, '\t');
	start = m->count;
	seq_puts(m, conn->probe->name);
	marker_results_show_args(m, conn);
	marker_escape_since(m, start);
	seq_printf(m, "\t%s\t", what);
	start = m->count;
	va_start(args, key);
	seq_vprintf(m, key, args);
	va_end(args);
	marker_escape_since(m, start);
	seq_printf(m, "\t%llu\n", value);
}
EXPORT_SYMBOL_GPL(marker_probe_row);

int marker_results_show(struct seq_file *m, void *unused)
{
	struct marker_probe_rows rows = { .m = m };
	struct marker_connection *conn;

	seq_puts(m, "#id\tselector\tprobe\twhat\tkey\tvalue\n");
	mutex_lock(&marker_mutex);
	list_for_each_entry(conn, &marker_connections, list) {
		rows.conn = conn;
		marker_probe_row(&rows, "sites", marker_connection_nsites(conn), "-");
		if (conn->guard.limit)
			marker_probe_row(&rows, "left", marker_guard_left(&conn->guard), "-");
		if (atomic_long_read(&conn->guard.nested))
			marker_probe_row(&rows, "nested", atomic_long_read(&conn->guard.nested),
					 "-");
		if (conn->probe->show)
			conn->probe->show(conn->data, &rows);
		else if (conn->probe->hits)
			marker_probe_row(&rows, "events", conn->probe->hits(conn->data), "-");
	}
	mutex_unlock(&marker_mutex);
	return 0;
}
