// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files "packets" and "snapshot" of a session. A packet is taken out of its ring unchanged.
 * This file adds the missing times to a packet that was still open, and hashes addresses, because
 * the reader writes the packet to a disk.
 *
 * Locks: reader->lock, held over a read; in it marker_ctf_session_lock, for one packet at a time
 * and not while it is copied to the user.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/siphash.h>
#include <linux/uaccess.h>
#include "items.h"
#include "part.h"
#include "reader.h"
#include "session.h"
#include "type.h"

/* A snapshot waits so long for an event that is being stored. */
#define WAIT_MS		100

/* Addresses that were hashed before, each in the place that its bits choose. */
#define HASHED_BITS	8

struct hashed {
	u64 address, hash;
};

struct reader {
	struct marker_ctf_session *session;
	struct mutex lock;		/* lock of all other members */
	bool snapshot;
	bool spare;			/* in the buffers that events do not go to */
	u32 ring_id;			/* @spare is valid while the ring has this id */
	bool done;			/* all of the snapshot has been read */
	/* Position of @last before the last read(), whose packets may not have arrived. */
	struct marker_ctf_buffer *last;
	struct marker_ctf_progress before;
	bool full;			/* @packet has not been handed over */
	unsigned int cpu;		/* CPU of the next packets */
	unsigned int waited;		/* ms, for the packet that is next */
	struct hashed hashed[1 << HASHED_BITS];
	struct marker_ctf_packet packet;
};

/* As printk() does, NULL and errors are left alone. */
static noinline void hash_new(struct hashed *known, u64 address)
{
	*known = (struct hashed){ address, address };
	if (!IS_ERR_OR_NULL((void *)(unsigned long)address))
		known->hash = (u32)siphash_1u64(address, &marker_ctf_session_key);
}

/* Equal addresses stay equal. @table: the reader's. */
static __always_inline void hash_at(struct hashed *table, u8 *at)
{
	struct hashed *known;
	u64 address;

	memcpy(&address, at, sizeof(address));
	known = &table[hash_64(address, HASHED_BITS)];
	if (unlikely(known->address != address))
		hash_new(known, address);
	memcpy(at, &known->hash, sizeof(known->hash));
}

/* Return the address behind the context, at @at, of an event. */
static u8 *pass_context(const struct marker_ctf_class *event, u8 *at)
{
	u32 stacks = event->context & ITEM_STACKS;

	at += marker_ctf_items_size(event->context);
	for (; stacks; stacks &= stacks - 1)
		at += 1 + *at * sizeof(unsigned long);
	return at;
}

/* Behind the event whose fields are at @from; its addresses are hashed. */
static u8 *pass_event(struct reader *reader, const struct marker_ctf_class *event, u8 *from,
		      bool hash)
{
	u8 *at = pass_context(event, from);
	unsigned int i;

	for (i = 0; i < event->nfields; i++) {
		if (!event->fields[i].size) {
			at += strlen((char *)at) + 1;
			continue;
		}
		if (hash && event->fields[i].is_address)
			hash_at(reader->hashed, at);
		at += event->fields[i].size;
	}
	return at;
}

/*
 * As pass_event(), of an event without texts and stacks, and behind those of its class that follow
 * it with compact headers. @time: of the event; becomes that of the last one.
 */
static noinline u8 *pass_alike(struct hashed *table, const struct marker_ctf_class *event, u8 *at,
			       const u8 *end, u64 *time, bool hash)
{
	const unsigned int n = hash ? event->naddresses : 0;
	const unsigned long first = event->address_at[0];
	const u32 id = event->form == FORM_COMPACT ? event->id : U32_MAX;
	const unsigned long length = event->length;
	u64 now = *time;
	unsigned int i;
	u32 word;

	for (;;) {
		if (n)
			hash_at(table, at + first);
		for (i = 1; unlikely(i < n); i++)
			hash_at(table, at + event->address_at[i]);
		at += length;
		if (at >= end)
			break;
		memcpy(&word, at, sizeof(word));
		if ((word & EVENT_EXTENDED) != id)
			break;
		now += marker_ctf_time_passed(word, now);
		at += sizeof(word);
	}
	*time = now;
	return at;
}

static void finish_packet(struct reader *reader, struct marker_ctf_buffer *buffer)
{
	struct marker_ctf_session *session = reader->session;
	struct marker_ctf_packet *packet = &reader->packet;
	struct marker_ctf_packet_header *header = &packet->header;
	bool raw = session->config.raw_addresses;
	/* Not from the header: fortified functions take that for all there is. */
	u8 *at = packet->events, *end = at + header->content_bits / 8 - sizeof(*header);
	const struct marker_ctf_class *event = NULL;
	u64 time;
	u32 id;

	/* Zero the rest, which has events of earlier packets, and events that are not hashed. */
	memset(end, 0, packet->events + sizeof(packet->events) - end);
	if (at == end) {
		header->begin = header->end;
		return;
	}
	/* The rest of a packet begins with its first event. */
	marker_ctf_header_get(at, &id, &header->begin);
	if (header->end && raw)
		return;
	for (time = header->begin; at < end;) {
		at = marker_ctf_header_get(at, &id, &time);
		if (!event || event->id != id)
			event = xa_load(&session->by_id, id);
		if (WARN_ON_ONCE(!event))
			return;
		at = event->varies ? pass_event(reader, event, at, !raw) :
				     pass_alike(reader->hashed, event, at, end, &time, !raw);
	}
	if (!header->end)
		header->end = time;
	buffer->taken_time = time;
}

static struct marker_ctf_buffer *next_buffer(const struct reader *reader)
{
	return reader->spare ? marker_ctf_session_spare(reader->session, reader->cpu) :
			       marker_ctf_session_active(reader->session, reader->cpu);
}

/* As marker_ctf_part_read(), from the next CPU. @begin: a read() by the user begins with it. */
static int read_cpu(struct reader *reader, bool begin)
{
	struct marker_ctf_buffer *buffer = next_buffer(reader);
	int ret;

	if (reader->spare && begin) {
		reader->last = buffer;
		marker_ctf_part_save(buffer, &reader->before);
	}
	ret = marker_ctf_part_read(buffer, &reader->packet, reader->snapshot);
	if (ret > 0)
		finish_packet(reader, buffer);
	return ret;
}

/*
 * As marker_ctf_part_read(), from the next CPU that has something, or from @this_cpu alone.
 * -EAGAIN: an event of a snapshot is being stored.
 */
static int try_cpus(struct reader *reader, bool this_cpu)
{
	unsigned int tries = this_cpu ? 1 : nr_cpu_ids;
	int ret = 0;

	while (reader->session->open && tries--) {
		if (cpu_possible(reader->cpu))
			ret = read_cpu(reader, !this_cpu);
		if (ret > 0 || (ret < 0 && reader->snapshot && reader->waited < WAIT_MS))
			return ret;
		ret = 0;
		if (!this_cpu)
			reader->cpu = (reader->cpu + 1) % nr_cpu_ids;
	}
	return 0;
}

/* True if the session was closed and opened again: the snapshot of this reader is gone. */
static bool is_outdated(const struct reader *reader)
{
	return reader->spare && reader->ring_id != reader->session->ring.id;
}

/* Begin to read the current snapshot, or take one; events go to the other buffers. */
static void begin_snapshot(struct reader *reader)
{
	struct marker_ctf_session *session = reader->session;

	if (!atomic_read(&session->snapshot))
		marker_ctf_session_swap(session, "reader");
	marker_ctf_session_settle(session);
	reader->spare = true;
	reader->ring_id = session->ring.id;
}

static int take_packet(struct reader *reader, bool this_cpu)
{
	int ret = 0;

	if (reader->done)
		return 0;
	mutex_lock(&marker_ctf_session_lock);
	if (is_outdated(reader))
		goto out;
	ret = try_cpus(reader, this_cpu);
	if (!ret && !this_cpu && reader->spare) {
		/* The whole snapshot has been read, so another one can be taken. */
		atomic_set(&reader->session->snapshot, 0);
		reader->done = true;
		reader->last = NULL;
	}
out:
	mutex_unlock(&marker_ctf_session_lock);
	return ret;
}

static bool next_packet(struct reader *reader, bool this_cpu)
{
	int ret;

	while ((ret = take_packet(reader, this_cpu)) < 0) {
		/* A signal must not make this shorter, as the packet would be left out. */
		usleep_range(1000, 1500);
		reader->waited++;
	}
	if (ret)
		reader->waited = 0;
	return ret;
}

/* Read packets of one CPU, so that a reader needs to look at one header only. */
static ssize_t read_of_one_cpu(struct reader *reader, char __user *to, size_t count)
{
	size_t done;

	for (done = 0; count - done >= RING_PACKET; done += RING_PACKET) {
		if (!reader->full)
			reader->full = next_packet(reader, done);
		if (!reader->full)
			break;
		if (copy_to_user(to + done, &reader->packet, RING_PACKET))
			return done ?: -EFAULT;
		reader->full = false;
	}
	if (done)
		reader->cpu = (reader->cpu + 1) % nr_cpu_ids;
	return done;
}

static ssize_t reader_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct reader *reader = file->private_data;
	ssize_t ret;

	if (count < RING_PACKET)
		return -EINVAL;
	mutex_lock(&reader->lock);
	ret = read_of_one_cpu(reader, to, count);
	mutex_unlock(&reader->lock);
	return ret;
}

static int begin(struct reader *reader)
{
	struct marker_ctf_session *session = reader->session;

	lockdep_assert_held(&marker_ctf_session_lock);
	if (session->removed)
		return -ENOENT;
	if (session->reader) {
		pr_err("ctf: session %s: another reader has the packets\n", session->name);
		return -EBUSY;
	}
	session->reader = true;
	if (reader->snapshot && session->open && session->ring.overwrite)
		begin_snapshot(reader);
	else if (reader->snapshot)
		marker_ctf_session_flush(session);
	return 0;
}

static int reader_open(struct inode *inode, struct file *file, bool snapshot)
{
	struct reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	int ret;

	if (!reader)
		return -ENOMEM;
	mutex_init(&reader->lock);
	reader->session = inode->i_private;
	reader->snapshot = snapshot;
	mutex_lock(&marker_ctf_session_lock);
	ret = begin(reader);
	mutex_unlock(&marker_ctf_session_lock);
	if (ret) {
		kfree(reader);
		return ret;
	}
	file->private_data = reader;
	return nonseekable_open(inode, file);
}

static int open_packets(struct inode *inode, struct file *file)
{
	return reader_open(inode, file, false);
}

static int open_snapshot(struct inode *inode, struct file *file)
{
	return reader_open(inode, file, true);
}

static int reader_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	mutex_lock(&marker_ctf_session_lock);
	if (reader->last && !is_outdated(reader))
		marker_ctf_part_restore(reader->last, &reader->before);
	reader->session->reader = false;
	mutex_unlock(&marker_ctf_session_lock);
	kfree(reader);
	return 0;
}

const struct file_operations marker_ctf_packets_fops = {
	.owner = THIS_MODULE,
	.open = open_packets,
	.read = reader_read,
	.release = reader_release,
};

const struct file_operations marker_ctf_snapshot_fops = {
	.owner = THIS_MODULE,
	.open = open_snapshot,
	.read = reader_read,
	.release = reader_release,
};
