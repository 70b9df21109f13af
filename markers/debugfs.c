// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/markers: shows the markers and takes commands.
 *
 * Everything is text, tab-separated, with a header line that begins with '#';
 * the columns are described in Documentation/ABI/debugfs-markers.
 *
 * Locks: takes marker_mutex to show a file; commands take it themselves.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "command.h"
#include "connect.h"
#include "debug_site.h"
#include "debugfs.h"
#include "escape.h"
#include "expose.h"
#include "kprobe_gate.h"
#include "probe.h"
#include "registry.h"

/* The longest text of commands taken in one write. */
#define COMMANDS_MAX SZ_1M

/* Bytes for a first attempt at the text of all debug sites of a small kernel. */
#define DEBUG_SITES_SIZE SZ_512K

static struct dentry *dir;

static int markers_show(struct seq_file *m, void *unused)
{
	struct marker *marker;
	unsigned int i, k;

	seq_puts(m, "#marker\tsites\tconnected\tprobes\tformat\n");
	mutex_lock(&marker_mutex);
	for (i = 0; i < marker_registry_nbuckets; i++)
		list_for_each_entry(marker, &marker_registry_buckets[i], list) {
			unsigned int connected = 0;
			struct marker_hook_set *set = NULL;
			struct marker_site_state *site;

			list_for_each_entry(site, &marker->sites, peers) {
				connected += !!site->set;
				set = set ?: site->set;
			}
			site = list_first_entry(&marker->sites, struct marker_site_state, peers);
			marker_escape(m, marker->name);
			seq_printf(m, "\t%u\t%u\t", marker->nsites, connected);
			for (k = 0; set && k < set->nhooks; k++)
				seq_printf(m, "%s%s", k ? "," : "",
					   marker_connection_of(set->hooks[k])->probe->name);
			seq_puts(m, set ? "\t" : "-\t");
			marker_escape(m, site->entry->format);
			seq_putc(m, '\n');
		}
	mutex_unlock(&marker_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(markers);

static int probes_show(struct seq_file *m, void *unused)
{
	struct marker_connection *conn;
	struct marker_probe *probe;

	seq_puts(m, "#probe\tmodule\tconnections\tsites\thits\tformat\n");
	mutex_lock(&marker_mutex);
	list_for_each_entry(probe, &marker_probes, list) {
		unsigned int conns = 0, sites = 0;
		u64 hits = 0;

		list_for_each_entry(conn, &marker_connections, list) {
			if (conn->probe != probe)
				continue;
			conns++;
			sites += marker_connection_nsites(conn);
			if (probe->hits)
				hits += probe->hits(conn->data);
		}
		marker_escape(m, probe->name);
		seq_printf(m, "\t%s\t%u\t%u\t", probe->owner ? module_name(probe->owner) : "-",
			   conns, sites);
		if (probe->hits)
			seq_printf(m, "%llu", hits);
		else
			seq_puts(m, "-");
		seq_putc(m, '\t');
		marker_escape(m, probe->format ?: "*");
		seq_putc(m, '\n');
	}
	mutex_unlock(&marker_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(probes);

DEFINE_SHOW_ATTRIBUTE(marker_results);
DEFINE_SHOW_ATTRIBUTE(marker_verify);

static int debug_sites_show(struct seq_file *m, void *unused)
{
	marker_debug_list(m);
	return 0;
}

/* The file `debug_sites` is long: the buffer begins large, as a full one is written again. */
static int debug_sites_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, debug_sites_show, NULL, DEBUG_SITES_SIZE);
}

static const struct file_operations debug_sites_fops = {
	.owner = THIS_MODULE,
	.open = debug_sites_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static void show_rule(struct seq_file *m)
{
	const struct marker_expose_rule *rule = marker_expose_get();
	unsigned int i;

	if (!rule)
		return;
	seq_puts(m, "expose");
	for (i = 0; i < rule->n; i++)
		seq_printf(m, " %s", rule->selectors[i].text);
	seq_putc(m, '\n');
}

/* Print the commands that make the current state again when they are written to `control`. */
static int show_control(struct seq_file *m, void *unused)
{
	struct marker_connection *conn;

	mutex_lock(&marker_mutex);
	show_rule(m);
	list_for_each_entry(conn, &marker_connections, list) {
		bool pending = !marker_connection_nsites(conn) && !conn->done && !conn->dying;

		if (conn->dying)
			seq_puts(m, "# disconnected, its probe still runs: ");
		seq_printf(m, "%s %s %s", pending ? "arm" : "connect",
			   conn->selector.text, conn->probe->name);
		marker_results_show_args(m, conn);
		seq_puts(m, conn->blocked ? "\t# leaving\n" : conn->done ? "\t# done\n" :
			 pending ? "\t# pending\n" : "\n");
	}
	mutex_unlock(&marker_mutex);
	return 0;
}

static int open_control(struct inode *inode, struct file *file)
{
	return single_open(file, show_control, NULL);
}

static ssize_t write_control(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char *commands;
	int ret;

	if (count > COMMANDS_MAX)
		return -E2BIG;
	commands = kvmalloc(count + 1, GFP_KERNEL);
	if (!commands)
		return -ENOMEM;
	ret = -EFAULT;
	if (copy_from_user(commands, from, count))
		goto out;
	commands[count] = '\0';
	ret = -EINVAL;
	if (strlen(commands) != count)
		goto out;
	ret = marker_command_execute(commands);
	marker_probe_settle_all();
out:
	kvfree(commands);
	return ret ?: count;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = open_control,
	.read = seq_read,
	.write = write_control,
	.llseek = seq_lseek,
	.release = single_release,
};

static void show_patch_stats(struct seq_file *m, const char *what,
			     const struct marker_patch_stats *s)
{
	seq_printf(m, "%s.patches\t%u\n%s.rounds\t%u\n%s.settles\t%u\n", what, s->patches,
		   what, s->rounds, what, s->settles);
	seq_printf(m, "%s.cpus\t%u\n%s.int3\t%lu\n%s.ns\t%llu\n", what, s->cpus,
		   what, s->traps, what, s->ns);
}

static int stats_show(struct seq_file *m, void *unused)
{
	struct marker_kprobe_gate_counts kprobes;
	struct marker_probe *probe;
	unsigned int used, bytes;

	mutex_lock(&marker_mutex);
	seq_printf(m, "#last transaction\nsites\t%u\nwait.ns\t%llu\n", marker_dispatch_last.sites,
		   marker_dispatch_last.wait_ns);
	show_patch_stats(m, "patch", &marker_dispatch_last.patch);
	show_patch_stats(m, "tidy", &marker_dispatch_last.tidy);
	marker_pad_usage(&used, &bytes);
	seq_printf(m, "#memory\npads\t%u\npads.bytes\t%u\n", used, bytes);
	seq_printf(m, "site.bytes\t%zu\nsite.gate.bytes\t%zu\nsite.call.bytes\t%zu\n",
		   sizeof(struct marker_site), sizeof(struct marker_gate),
		   sizeof(struct marker_call));
	seq_printf(m, "site.runtime.bytes\t%zu\nmarker.runtime.bytes\t%zu\n",
		   sizeof(struct marker_site_state) + sizeof(struct marker_gate_state) +
		   sizeof(struct marker_call_state), sizeof(struct marker));
	kprobes = marker_kprobe_gates_count();
	seq_printf(m, "#kprobe gates that are open\nkprobes\t%u\nkprobes.optimised\t%u\n",
		   kprobes.open, kprobes.optimised);
	seq_printf(m, "kprobes.missed\t%lu\n", kprobes.missed);
	seq_printf(m, "#calls of debug sites that were printed instead\ndebug.missed\t%lu\n",
		   marker_debug_missed());
	seq_printf(m, "#bytes that are not ours\nbusy\t%u\n", marker_table_text_busy);
	list_for_each_entry(probe, &marker_probes, list)
		if (probe->stats)
			probe->stats(m);
	mutex_unlock(&marker_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static const struct {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
} files[] = {
	{ "control", 0600, &control_fops },
	{ "markers", 0400, &markers_fops },
	{ "sites", 0400, &marker_sites_fops },
	{ "debug_sites", 0400, &debug_sites_fops },
	{ "probes", 0400, &probes_fops },
	{ "results", 0400, &marker_results_fops },
	{ "stats", 0400, &stats_fops },
	{ "verify", 0400, &marker_verify_fops },
};

/* Markers that cannot be connected, or not be seen, are of no use: no file may be missing. */
int marker_debugfs_init(void)
{
	struct dentry *file;
	unsigned int i;

	dir = debugfs_create_dir("markers", NULL);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		file = debugfs_create_file(files[i].name, files[i].mode, dir, NULL, files[i].fops);
		if (IS_ERR(file)) {
			debugfs_remove(dir);
			return PTR_ERR(file);
		}
	}
	return 0;
}

void marker_debugfs_exit(void)
{
	debugfs_remove(dir);
}
