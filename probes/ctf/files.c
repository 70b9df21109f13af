// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/markers/ctf: setting the session up, looking at it, owning
 * it.  Documentation/ABI/debugfs-markers has the formats.
 *
 * A program that records opens "own".  When that file is closed, however the program
 * ends, everything is disconnected and the memory given back.
 *
 * Locks: marker_ctf_session_lock; not while disconnecting, which takes marker_mutex first.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "items.h"
#include "marker_probe.h"
#include "reader.h"
#include "session.h"
#include "type.h"

#define COMMAND_MAX	256

static struct dentry *directory;

enum action { NOTHING, START, STOP, FLUSH, CLOSE };

/* What the words of one write ask for. */
struct request {
	struct marker_ctf_config config;
	bool configure;
	enum action action;
};

static bool parse_size(const char *word, unsigned long *size)
{
	unsigned long long bytes;
	char *end;

	bytes = memparse(word, &end);
	if (!*word || *end || bytes < SESSION_SIZE_MIN || bytes > SESSION_SIZE_MAX)
		return false;
	*size = roundup_pow_of_two(bytes);
	return true;
}

static bool parse_config(struct marker_ctf_config *config, const char *word)
{
	static const char *const modes[] = { "mode=discard", "mode=overwrite" };
	static const char *const addresses[] = { "addresses=hashed", "addresses=raw" };
	static const char *const clocks[] = { "clock=auto", "clock=tsc", "clock=mono" };
	int i;

	if (!strncmp(word, "size=", 5))
		return parse_size(word + 5, &config->size);
	i = match_string(modes, ARRAY_SIZE(modes), word);
	if (i >= 0) {
		config->overwrite = i;
		return true;
	}
	i = match_string(addresses, ARRAY_SIZE(addresses), word);
	if (i >= 0) {
		config->raw_addresses = i;
		return true;
	}
	i = match_string(clocks, ARRAY_SIZE(clocks), word);
	if (i < 0)
		return false;
	config->clock = i;
	return true;
}

static int parse_word(struct request *request, const char *word)
{
	static const char *const actions[] = { "", "start", "stop", "flush", "close" };
	int i = match_string(actions, ARRAY_SIZE(actions), word);

	if (i > 0 && request->action == NOTHING) {
		request->action = i;
		return 0;
	}
	if (i < 0 && parse_config(&request->config, word)) {
		request->configure = true;
		return 0;
	}
	pr_err("ctf/control: \"%s\": want size=16K..1G, mode=discard|overwrite, clock=auto|tsc|mono, addresses=hashed|raw, and one of start, stop, flush, close\n",
	       word);
	return -EINVAL;
}

static int act(enum action action)
{
	switch (action) {
	case START:
		marker_ctf_session_start();
		return 0;
	case STOP:
		marker_ctf_session_stop();
		return 0;
	case FLUSH:
		marker_ctf_session_flush();
		return 0;
	case CLOSE:
		return marker_ctf_session_close();
	default:
		return 0;
	}
}

/* @words is cut up. */
static int execute(char *words)
{
	struct request request = { .config = marker_ctf_session.config };
	char *word;
	int ret;

	while ((word = strsep(&words, " \t\n"))) {
		ret = *word ? parse_word(&request, word) : 0;
		if (ret)
			return ret;
	}
	if (marker_ctf_session.reader && (request.configure || request.action == CLOSE)) {
		pr_err("ctf/control: a reader has the packets; close that file first\n");
		return -EBUSY;
	}
	ret = request.configure ? marker_ctf_session_configure(&request.config) : 0;
	if (!ret)
		ret = act(request.action);
	if (ret == -EBUSY)
		pr_err("ctf/control: %u connections use the buffers; disconnect them first\n",
		       marker_ctf_session.connections);
	return ret;
}

static ssize_t write_control(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char *words;
	int ret;

	if (count > COMMAND_MAX)
		return -EINVAL;
	words = memdup_user_nul(from, count);
	if (IS_ERR(words))
		return PTR_ERR(words);
	mutex_lock(&marker_ctf_session_lock);
	ret = execute(words);
	mutex_unlock(&marker_ctf_session_lock);
	kfree(words);
	return ret ?: count;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_control,
	.llseek = noop_llseek,
};

/* A flight recorder that another user has set up is not taken over. */
static int open_own(struct inode *inode, struct file *file)
{
	int ret = 0;

	mutex_lock(&marker_ctf_session_lock);
	if (marker_ctf_session.owned || marker_ctf_session.connections ||
	    marker_ctf_session.reader) {
		pr_err("ctf/own: %s\n",
		       marker_ctf_session.owned  ? "another user records already" :
		       marker_ctf_session.reader ? "a reader has the packets" :
				"connected as a flight recorder; disconnect it first");
		ret = -EBUSY;
	} else {
		marker_ctf_session.owned = true;
		marker_ctf_session_close();
		marker_ctf_session_start();
	}
	mutex_unlock(&marker_ctf_session_lock);
	return ret;
}

static int release_own(struct inode *inode, struct file *file)
{
	int ret = marker_probe_disconnect(&marker_ctf_probe);

	mutex_lock(&marker_ctf_session_lock);
	marker_ctf_session.owned = false;
	if (!ret)
		ret = marker_ctf_session_close();
	marker_ctf_session_start();
	mutex_unlock(&marker_ctf_session_lock);
	if (ret)
		pr_err("ctf/own: the recorder is gone, and its connections cannot be undone: %d\n",
		       ret);
	return 0;
}

static const struct file_operations own_fops = {
	.owner = THIS_MODULE,
	.open = open_own,
	.release = release_own,
	.llseek = noop_llseek,
};

static size_t list_count(const struct list_head *list)
{
	const struct list_head *at;
	size_t n = 0;

	list_for_each(at, list)
		n++;
	return n;
}

static void show_time(struct seq_file *m, const char *prefix, const struct marker_ctf_time *time)
{
	seq_printf(m, "%s.value\t%llu\n%s.mono\t%llu\n%s.realtime\t%llu\n", prefix, time->value,
		   prefix, time->mono, prefix, time->realtime);
}

/* When the session was opened, and now: how fast the clock goes is between the two. */
static void show_clock(struct seq_file *m)
{
	struct marker_ctf_time now;

	marker_ctf_session_time(&now);
	seq_printf(m, "clock\t%s\nclock.hz\t%llu\n",
		   marker_ctf_session.ring.use_counter ? "tsc" : "mono", marker_ctf_session.clock_hz);
	show_time(m, "clock", &marker_ctf_session.opened);
	show_time(m, "clock.now", &now);
}

static int session_show(struct seq_file *m, void *unused)
{
	mutex_lock(&marker_ctf_session_lock);
	seq_printf(m, "state\t%s\nowned\t%u\n",
		   !marker_ctf_session.open	   ? "closed" :
		   marker_ctf_session.ring.stopped ? "stopped" :
						     "recording",
		   marker_ctf_session.owned);
	seq_printf(m, "connections\t%u\nsize\t%lu\nmode\t%s\n", marker_ctf_session.connections,
		   marker_ctf_session.config.size,
		   marker_ctf_session.config.overwrite ? "overwrite" : "discard");
	seq_printf(m, "packet\t%lu\nevents\t%zu\n", RING_PACKET,
		   list_count(&marker_ctf_session.classes));
	if (marker_ctf_session.open)
		show_clock(m);
	seq_printf(m, "addresses\t%s\n",
		   marker_ctf_session.config.raw_addresses ? "raw" : "hashed");
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(session);

static int cpus_show(struct seq_file *m, void *unused)
{
	int cpu;

	seq_puts(m, "#cpu\trecorded\tlost\toverwritten\n");
	mutex_lock(&marker_ctf_session_lock);
	for_each_possible_cpu(cpu) {
		struct marker_ctf_buffer *buffer =
			per_cpu_ptr(marker_ctf_session.ring.buffers, cpu);

		if (buffer->data || local_read(&buffer->lost))
			seq_printf(m, "%d\t%llu\t%lu\t%lu\n", cpu, READ_ONCE(buffer->recorded),
				   local_read(&buffer->lost), local_read(&buffer->overwritten));
	}
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpus);

static void show_context(struct seq_file *m, u32 items)
{
	unsigned int i;

	seq_puts(m, items ? "\t" : "\t-");
	for (i = 0; items; i++, items >>= 1)
		if (items & 1)
			seq_printf(m, "%s%s", marker_ctf_item_name(i), items > 1 ? "," : "");
}

static void show_names(struct seq_file *m, const struct marker_ctf_class *event)
{
	unsigned int i;

	seq_puts(m, event->nfields ? "\t" : "\t-");
	for (i = 0; i < event->nfields; i++)
		seq_printf(m, "%s%s", i ? "," : "", event->names[i]);
}

static int events_show(struct seq_file *m, void *unused)
{
	const struct marker_ctf_field *field;
	struct marker_ctf_class *event;

	seq_puts(m, "#id\tmarker\tfields\tformat\tcontext\tnames\n");
	mutex_lock(&marker_ctf_session_lock);
	list_for_each_entry(event, &marker_ctf_session.classes, list) {
		seq_printf(m, "%u\t%s\t%s", event->id, event->name, event->nfields ? "" : "-");
		for (field = event->fields; field < event->fields + event->nfields; field++)
			seq_printf(m, "%s%s:%u", field > event->fields ? "," : "",
				   marker_ctf_type_name(field->type), field->base);
		seq_putc(m, '\t');
		seq_escape(m, event->format, "\t\n\\");
		show_context(m, event->context);
		show_names(m, event);
		seq_putc(m, '\n');
	}
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(events);

static int __init ctf_init(void)
{
	struct dentry *markers = debugfs_lookup("markers", NULL);
	int ret;

	directory = debugfs_create_dir("ctf", markers);
	dput(markers);
	ret = PTR_ERR_OR_ZERO(directory);
	if (ret)
		return ret;
	ret = marker_ctf_session_init();
	if (ret)
		goto err_dir;
	marker_ctf_reader_init(directory);
	debugfs_create_file("control", 0200, directory, NULL, &control_fops);
	debugfs_create_file("own", 0400, directory, NULL, &own_fops);
	debugfs_create_file("session", 0400, directory, NULL, &session_fops);
	debugfs_create_file("cpus", 0400, directory, NULL, &cpus_fops);
	debugfs_create_file("events", 0400, directory, NULL, &events_fops);
	ret = marker_probe_register(&marker_ctf_probe);
	if (!ret)
		return 0;

	debugfs_remove(directory);
	marker_ctf_session_exit();
	return ret;

err_dir:
	debugfs_remove(directory);
	return ret;
}

static void __exit ctf_exit(void)
{
	marker_probe_unregister(&marker_ctf_probe);
	debugfs_remove(directory);
	marker_ctf_session_exit();
}

module_init(ctf_init);
module_exit(ctf_exit);
MODULE_DESCRIPTION("marker probe that keeps whole events, for traces in the Common Trace Format");
MODULE_LICENSE("GPL");
