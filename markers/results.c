// SPDX-License-Identifier: GPL-2.0-only
/*
 * What probes have found, as rows of one table: a line a value, so that its
 * columns are the same for all probes.
 *
 * Locks: takes markers_mutex.
 */
#include <linux/seq_file.h>
#include "connection.h"
#include "probes.h"
#include "results.h"

struct probe_rows {
	struct seq_file *m;
	const struct connection *conn;
};

void results_terms(struct seq_file *m, const struct connection *conn)
{
	if (conn->preempt_off)
		seq_puts(m, " preempt-off");
	if (conn->guard.limit)
		seq_printf(m, " first=%lu", conn->guard.limit);
	if (conn->args)
		seq_printf(m, " %s", conn->args);
	if (conn->guard.filter.words)
		seq_printf(m, " if %s", conn->guard.filter.words);
}

void probe_row(struct probe_rows *rows, const char *what, u64 value, const char *key, ...)
{
	const struct connection *conn = rows->conn;
	struct va_format text;
	va_list args;

	va_start(args, key);
	text.fmt = key;
	text.va = &args;
	seq_printf(rows->m, "%u\t%s\t%s", conn->id, conn->selector.text, conn->probe->name);
	results_terms(rows->m, conn);
	seq_printf(rows->m, "\t%s\t%pV\t%llu\n", what, &text, value);
	va_end(args);
}
EXPORT_SYMBOL_GPL(probe_row);

static int results_show(struct seq_file *m, void *unused)
{
	struct probe_rows rows = { .m = m };
	struct connection *conn;

	seq_puts(m, "#id\tselector\tprobe\twhat\tkey\tvalue\n");
	mutex_lock(&markers_mutex);
	list_for_each_entry(conn, &connections, list) {
		rows.conn = conn;
		probe_row(&rows, "sites", connection_nsites(conn), "-");
		if (conn->guard.limit)
			probe_row(&rows, "left", guard_left(&conn->guard), "-");
		if (conn->probe->show)
			conn->probe->show(conn->data, &rows);
		else if (conn->probe->hits)
			probe_row(&rows, "events", conn->probe->hits(conn->data), "-");
	}
	mutex_unlock(&markers_mutex);
	return 0;
}

static int open_results(struct inode *inode, struct file *file)
{
	return single_open_size(file, results_show, NULL, SZ_64K);
}

const struct file_operations results_fops = {
	.owner = THIS_MODULE,
	.open = open_results,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};
