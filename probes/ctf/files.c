// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/markers/ctf: the list of sessions; the files to set up, read and own one.
 * Documentation/ABI/debugfs-markers has the formats.
 *
 * A program that records opens "own". When that file is closed, however the program ends,
 * everything is disconnected from the session, and its memory is freed.
 *
 * Locks: marker_ctf_session_lock; not while disconnecting, which takes marker_mutex first, nor
 * while files are removed, which waits for their users.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "control.h"
#include "describe.h"
#include "escape.h"
#include "marker_probe.h"
#include "reader.h"
#include "sessions.h"
#include "trigger.h"

static struct dentry *directory, *instances;

/* Only one session is created or removed at a time, with its files. */
static DEFINE_MUTEX(sessions_lock);

/* A flight recorder that another user has set up is not taken over. */
static int take_over(struct marker_ctf_session *session)
{
	if (session->removed)
		return -ENOENT;
	if (session->owner || session->connections || session->reader) {
		pr_err("ctf/own: session %s: %s\n", session->name,
		       session->owner	? "another user records already" :
		       session->reader	? "a reader has the packets" :
					  "connected as a flight recorder; disconnect it first");
		return -EBUSY;
	}
	session->owner = task_tgid_nr(current);
	get_task_comm(session->owner_comm, current);
	marker_ctf_session_close(session);
	marker_ctf_session_start(session);
	return 0;
}

static int open_own(struct inode *inode, struct file *file)
{
	int ret;

	file->private_data = inode->i_private;
	mutex_lock(&marker_ctf_session_lock);
	ret = take_over(file->private_data);
	mutex_unlock(&marker_ctf_session_lock);
	return ret;
}

static int release_own(struct inode *inode, struct file *file)
{
	struct marker_ctf_session *session = file->private_data;
	int ret = marker_ctf_control_disconnect(session);

	mutex_lock(&marker_ctf_session_lock);
	session->owner = 0;
	if (!ret)
		ret = marker_ctf_session_close(session);
	marker_ctf_session_start(session);
	if (ret)
		pr_err("ctf/own: the recorder of session %s is gone, and its connections cannot be undone: %pe\n",
		       session->name, ERR_PTR(ret));
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}

static const struct file_operations own_fops = {
	.owner = THIS_MODULE,
	.open = open_own,
	.release = release_own,
	.llseek = noop_llseek,
};

static const char *state_of(const struct marker_ctf_session *session)
{
	return !session->open	      ? "closed" :
	       session->ring.stopped ? "stopped" :
				       "recording";
}

static void show_owner(struct seq_file *m, const struct marker_ctf_session *session)
{
	if (!session->owner) {
		seq_puts(m, "-");
		return;
	}
	seq_printf(m, "%d ", session->owner);
	marker_escape(m, session->owner_comm);
}

static void show_snapshot(struct seq_file *m, const struct marker_ctf_session *session)
{
	bool taken = atomic_read(&session->snapshot);

	seq_printf(m, "snapshot\t%s\nsnapshot.missed\t%d\n", taken ? "taken" : "none",
		   atomic_read(&session->missed));
	if (!taken)
		return;
	seq_puts(m, "snapshot.by\t");
	marker_escape(m, session->reason);
	seq_printf(m, "\nsnapshot.value\t%llu\n", session->taken);
}

static int session_show(struct seq_file *m, void *unused)
{
	const struct marker_ctf_session *session = m->private;

	mutex_lock(&marker_ctf_session_lock);
	seq_printf(m, "state\t%s\nowned\t%u\nowner\t", state_of(session), !!session->owner);
	show_owner(m, session);
	seq_printf(m, "\nconnections\t%u\nmemory\t%llu\nevents\t%u\n", session->connections,
		   marker_ctf_session_bytes(session), session->classes.n);
	show_snapshot(m, session);
	marker_ctf_describe_session(m, session);
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(session);

static int cpus_show(struct seq_file *m, void *unused)
{
	struct marker_ctf_session *session = m->private;
	const struct marker_ctf_counts *counts;
	int cpu;

	seq_puts(m, "#cpu\trecorded\tlost\toverwritten\n");
	mutex_lock(&marker_ctf_session_lock);
	for_each_possible_cpu(cpu) {
		counts = &per_cpu_ptr(session->cpus, cpu)->counts;
		if (marker_ctf_session_active(session, cpu)->data || local_read(&counts->lost))
			seq_printf(m, "%d\t%llu\t%lu\t%lu\n", cpu, READ_ONCE(counts->recorded),
				   local_read(&counts->lost), local_read(&counts->overwritten));
	}
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpus);

static int events_show(struct seq_file *m, void *unused)
{
	struct marker_ctf_session *session = m->private;
	struct marker_ctf_class *event;

	marker_ctf_describe_columns(m);
	mutex_lock(&marker_ctf_session_lock);
	list_for_each_entry(event, &session->classes.list, list)
		marker_ctf_describe_class(m, event);
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(events);

static const struct {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
} files[] = {
	{ "packets", 0400, &marker_ctf_packets_fops },
	{ "snapshot", 0400, &marker_ctf_snapshot_fops },
	{ "control", 0200, &marker_ctf_control_fops },
	{ "own", 0400, &own_fops },
	{ "session", 0400, &session_fops },
	{ "cpus", 0400, &cpus_fops },
	{ "events", 0400, &events_fops },
};

static int create_file(const char *name, umode_t mode, struct dentry *dir, void *data,
		       const struct file_operations *fops)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file(name, mode, dir, data, fops));
}

/* A folder that could not be created is an error here, too. */
static int create_files(struct marker_ctf_session *session, struct dentry *dir)
{
	unsigned int i;
	int ret = 0;

	session->directory = dir;
	for (i = 0; i < ARRAY_SIZE(files) && !ret; i++)
		ret = create_file(files[i].name, files[i].mode, dir, session, files[i].fops);
	return ret;
}

static int sessions_show(struct seq_file *m, void *unused)
{
	struct marker_ctf_session *session;

	seq_puts(m, "#name\tstate\towner\tsize\tmode\tclock\tconnections\tmemory\n");
	mutex_lock(&marker_ctf_session_lock);
	list_for_each_entry(session, &marker_ctf_sessions, list) {
		seq_printf(m, "%s\t%s\t", session->name, state_of(session));
		show_owner(m, session);
		seq_printf(m, "\t%lu\t%s\t%s\t%u\t%llu\n", session->config.size,
			   session->config.overwrite ? "overwrite" : "discard",
			   !session->open ? "-" : session->ring.use_counter ? "tsc" : "mono",
			   session->connections, marker_ctf_session_bytes(session));
	}
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}

static int open_sessions(struct inode *inode, struct file *file)
{
	return single_open(file, sessions_show, NULL);
}

static int remove_session(const char *name)
{
	struct marker_ctf_session *session;

	mutex_lock(&marker_ctf_session_lock);
	session = marker_ctf_sessions_remove(name);
	mutex_unlock(&marker_ctf_session_lock);
	if (IS_ERR(session))
		return PTR_ERR(session);
	debugfs_remove(session->directory);
	marker_ctf_session_free(session);
	return 0;
}

static int create_session(const char *name)
{
	struct marker_ctf_session *session;
	int ret;

	mutex_lock(&marker_ctf_session_lock);
	session = marker_ctf_sessions_create(name);
	mutex_unlock(&marker_ctf_session_lock);
	if (IS_ERR(session))
		return PTR_ERR(session);
	ret = create_files(session, debugfs_create_dir(name, instances));
	if (ret)
		remove_session(name);
	return ret;
}

static int change_sessions(char *words)
{
	char *verb, *name;

	words = strim(words);
	verb = strsep(&words, " \t");
	name = words ? strim(words) : "";
	if (!strcmp(verb, "create"))
		return create_session(name);
	if (!strcmp(verb, "remove"))
		return remove_session(name);
	pr_err("ctf/sessions: \"%s\": want create NAME, or remove NAME\n", verb);
	return -EINVAL;
}

static ssize_t write_sessions(struct file *file, const char __user *from, size_t count,
			      loff_t *pos)
{
	char *words = count > COMMAND_MAX ? ERR_PTR(-EINVAL) : memdup_user_nul(from, count);
	int ret;

	if (IS_ERR(words))
		return PTR_ERR(words);
	mutex_lock(&sessions_lock);
	ret = change_sessions(words);
	mutex_unlock(&sessions_lock);
	kfree(words);
	return ret ?: count;
}

static const struct file_operations sessions_fops = {
	.owner = THIS_MODULE,
	.open = open_sessions,
	.read = seq_read,
	.write = write_sessions,
	.llseek = seq_lseek,
	.release = single_release,
};

static int register_probes(void)
{
	int ret = marker_probe_register(&marker_ctf_probe);

	if (ret)
		return ret;
	ret = marker_probe_register(&marker_ctf_snapshot_probe);
	if (ret)
		marker_probe_unregister(&marker_ctf_probe);
	return ret;
}

static int __init ctf_init(void)
{
	struct dentry *markers = debugfs_lookup("markers", NULL);
	int ret;

	directory = debugfs_create_dir("ctf", markers);
	dput(markers);
	ret = PTR_ERR_OR_ZERO(directory);
	if (ret)
		return ret;
	ret = marker_ctf_sessions_init();
	if (ret)
		goto err_dir;
	ret = create_files(list_first_entry(&marker_ctf_sessions, struct marker_ctf_session, list),
			   directory);
	instances = debugfs_create_dir("instances", directory);
	ret = ret ?: PTR_ERR_OR_ZERO(instances);
	ret = ret ?: create_file("sessions", 0600, directory, NULL, &sessions_fops);
	ret = ret ?: marker_ctf_trigger_init();
	if (ret)
		goto err_sessions;
	ret = register_probes();
	if (ret)
		goto err_trigger;
	return 0;

err_trigger:
	marker_ctf_trigger_exit();
err_sessions:
	debugfs_remove(directory);
	marker_ctf_sessions_exit();
	return ret;

err_dir:
	debugfs_remove(directory);
	return ret;
}

static void __exit ctf_exit(void)
{
	marker_probe_unregister(&marker_ctf_snapshot_probe);
	marker_probe_unregister(&marker_ctf_probe);
	marker_ctf_trigger_exit();
	debugfs_remove(directory);
	marker_ctf_sessions_exit();
}

module_init(ctf_init);
module_exit(ctf_exit);
MODULE_DESCRIPTION("marker probe that keeps whole events, for traces in the Common Trace Format");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
