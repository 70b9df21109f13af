// SPDX-License-Identifier: GPL-2.0-only
/* Stores an event into a relay channel: reserve, counter, two arguments. */
#include <linux/debugfs.h>
#include <linux/relay.h>
#include <linux/timex.h>
#include "compat.h"
#include "peer.h"
#include "store.h"

#define SUBBUF_SIZE	65536u
#define SUBBUFS		4u

static struct rchan *channel;

static int overwrite(RELAY_SUBBUF_START)
{
	return 1;
}

static struct dentry *create_file(const char *name, struct dentry *parent, umode_t mode,
				  struct rchan_buf *buf, int *is_global)
{
	return debugfs_create_file(name, mode, parent, buf, &relay_file_operations);
}

static int remove_file(struct dentry *dentry)
{
	debugfs_remove(dentry);
	return 0;
}

static const struct rchan_callbacks callbacks = {
	.subbuf_start = overwrite,
	.create_buf_file = create_file,
	.remove_buf_file = remove_file,
};

void notrace marker_bench_relay_store(int count, void *pointer)
{
	u64 *words = relay_reserve(channel, 3 * sizeof(*words));

	if (!words)
		return;
	words[0] = get_cycles();
	words[1] = count;
	words[2] = (unsigned long)pointer;
}

static int attach(void)
{
	channel = relay_open("marker_bench_relay", NULL, SUBBUF_SIZE, SUBBUFS, &callbacks, NULL);
	return channel ? 0 : -ENOMEM;
}

static void detach(void)
{
	relay_close(channel);
	channel = NULL;
}

const struct bench_peer marker_bench_peer_relay = {
	.name = "relay", .attach = attach, .detach = detach,
};
