// SPDX-License-Identifier: GPL-2.0-only
/* The session: relay's memory under the ring, and relay's files over it. */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/relay.h>
#include "sink_session.h"

/* Of everything in this file but reads. */
DEFINE_MUTEX(session_lock);
struct session session = {
	.config = { .size = SZ_1M },
	.classes = LIST_HEAD_INIT(session.classes),
};

/* Of all reads: publishing is for one reader at a time.  Innermost. */
static DEFINE_MUTEX(reader_lock);

static struct dentry *directory;

static struct ring_buffer *buffer_of(const struct rchan_buf *relay)
{
	return per_cpu_ptr(session.ring.buffers, relay->cpu);
}

/*
 * Shows relay's reader what can be read.  It takes the packet after that for
 * one that is being written and is still empty.
 */
static void show_published(struct rchan_buf *relay, struct ring_buffer *buffer)
{
	if (!session.ring.overwrite || READ_ONCE(session.ring.stopped))
		ring_publish(buffer);
	relay->subbufs_produced = buffer->published;
	relay->data = relay->start + (buffer->published * RING_PACKET & buffer->mask);
	relay->offset = 0;
}

static ssize_t read_packets(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct rchan_buf *relay = file->private_data;
	struct ring_buffer *buffer = buffer_of(relay);
	ssize_t ret = 0;

	mutex_lock(&reader_lock);
	if (READ_ONCE(buffer->data)) {
		show_published(relay, buffer);
		ret = relay_file_operations.read(file, to, count, pos);
		ring_consume(buffer, relay->subbufs_consumed);
	}
	mutex_unlock(&reader_lock);
	return ret;
}

static int open_packets(struct inode *inode, struct file *file)
{
	return relay_file_operations.open(inode, file);
}

static int release_packets(struct inode *inode, struct file *file)
{
	return relay_file_operations.release(inode, file);
}

static const struct file_operations packets_fops = {
	.owner = THIS_MODULE,
	.open = open_packets,
	.read = read_packets,
	.release = release_packets,
};

static struct dentry *create_file(const char *name, struct dentry *parent, umode_t mode,
				  struct rchan_buf *relay, int *is_global)
{
	struct dentry *file = debugfs_create_file(name, 0400, parent, relay, &packets_fops);

	return IS_ERR(file) ? NULL : file;
}

static int remove_file(struct dentry *file)
{
	debugfs_remove(file);
	return 0;
}

/*
 * Called for a new buffer, also when a CPU comes up later; never after that,
 * since nobody asks relay for the next sub-buffer.
 */
static int begin_buffer(struct rchan_buf *relay, void *packet, void *previous, size_t padding)
{
	struct ring_buffer *buffer = buffer_of(relay);

	if (!buffer->data && ring_buffer_init(buffer, &session.ring, relay->cpu, relay->start,
					      session.config.size))
		pr_err("markers: ctf: no memory for CPU %u, whose events are lost\n", relay->cpu);
	return 1;
}

static const struct rchan_callbacks callbacks = {
	.subbuf_start = begin_buffer,
	.create_buf_file = create_file,
	.remove_buf_file = remove_file,
};

static u64 read_clock(void)
{
	return session.ring.use_counter ? counter_read() : ktime_get_mono_fast_ns();
}

/* One moment by both clocks, as near as five tries bring it. */
static void note_time(void)
{
	u64 before, realtime, gap, least = U64_MAX;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		local_irq_save(flags);
		before = read_clock();
		realtime = ktime_get_real_ns();
		gap = read_clock() - before;
		local_irq_restore(flags);
		if (gap >= least)
			continue;
		least = gap;
		session.clock_value = before + gap / 2;
		session.clock_realtime = realtime;
	}
}

static void choose_clock(void)
{
	u32 khz = counter_khz();

	session.ring.use_counter = session.config.clock == SESSION_CLOCK_TSC ||
				   (session.config.clock == SESSION_CLOCK_AUTO && khz);
	session.clock_hz = session.ring.use_counter ? khz * 1000ull : NSEC_PER_SEC;
	note_time();
}

static int open_session(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ring_buffer *buffer = per_cpu_ptr(session.ring.buffers, cpu);

		memset(buffer, 0, sizeof(*buffer));
		buffer->ring = &session.ring;
	}
	session.ring.overwrite = session.config.overwrite;
	choose_clock();
	session.channel = relay_open("cpu", directory, RING_PACKET,
				     session.config.size / RING_PACKET, &callbacks, NULL);
	return session.channel ? 0 : -ENOMEM;
}

int session_close(void)
{
	int cpu;

	lockdep_assert_held(&session_lock);
	if (session.connections)
		return -EBUSY;
	if (!session.channel)
		return 0;
	relay_close(session.channel);
	session.channel = NULL;
	for_each_possible_cpu(cpu)
		ring_buffer_exit(per_cpu_ptr(session.ring.buffers, cpu));
	event_class_free_all(&session.classes);
	return 0;
}

int session_configure(const struct session_config *config)
{
	int ret = session_close();

	if (!ret)
		session.config = *config;
	return ret;
}

static void update(bool stopped)
{
	int cpu;

	WRITE_ONCE(session.ring.stopped, stopped);
	for_each_possible_cpu(cpu)
		ring_buffer_update(per_cpu_ptr(session.ring.buffers, cpu));
}

static void flush_here(void *buffer)
{
	ring_flush(buffer);
}

void session_flush(void)
{
	int cpu;

	lockdep_assert_held(&session_lock);
	if (!session.channel)
		return;
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		struct ring_buffer *buffer = per_cpu_ptr(session.ring.buffers, cpu);

		/* Not online: nobody else is there. */
		if (smp_call_function_single(cpu, flush_here, buffer, 1))
			ring_flush(buffer);
	}
	cpus_read_unlock();
}

void session_stop(void)
{
	update(true);
	/* Who has room already, fills it with preemption off. */
	synchronize_rcu();
	session_flush();
}

void session_start(void)
{
	update(false);
}

int session_attach(void)
{
	int ret = 0;

	mutex_lock(&session_lock);
	if (!session.channel)
		ret = open_session();
	if (!ret)
		session.connections++;
	mutex_unlock(&session_lock);
	return ret;
}

void session_detach(void)
{
	mutex_lock(&session_lock);
	session.connections--;
	mutex_unlock(&session_lock);
}

struct event_class *session_class(const struct marker_site *site)
{
	struct event_class *event;

	mutex_lock(&session_lock);
	event = event_class_get(&session.classes, site, &session.ring);
	mutex_unlock(&session_lock);
	return event;
}

int session_init(struct dentry *dir)
{
	directory = dir;
	session.ring.buffers = alloc_percpu(struct ring_buffer);
	return session.ring.buffers ? 0 : -ENOMEM;
}

void session_exit(void)
{
	mutex_lock(&session_lock);
	session_close();
	mutex_unlock(&session_lock);
	free_percpu(session.ring.buffers);
}
