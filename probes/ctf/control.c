// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file "control" of a session: words that set up the session, and commands.
 *
 * Locks: marker_ctf_session_lock; not while disconnecting, which takes marker_mutex first.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "control.h"
#include "marker_probe.h"
#include "session.h"
#include "trigger.h"

enum action { NOTHING, START, STOP, FLUSH, SNAPSHOT, DISCONNECT, CLOSE };

/* Request that the words of one write make. */
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
	static const char *const actions[] = { "", "start", "stop", "flush",
					       "snapshot", "disconnect", "close" };
	int i = match_string(actions, ARRAY_SIZE(actions), word);

	if (i > 0 && request->action == NOTHING) {
		request->action = i;
		return 0;
	}
	if (i < 0 && parse_config(&request->config, word)) {
		request->configure = true;
		return 0;
	}
	pr_err("ctf/control: \"%s\": want size=16K..1G, mode=discard|overwrite, clock=auto|tsc|mono, addresses=hashed|raw, and one of start, stop, flush, snapshot, disconnect, close\n",
	       word);
	return -EINVAL;
}

static int take_snapshot(struct marker_ctf_session *session)
{
	if (!session->open || !session->ring.overwrite) {
		pr_err("ctf/control: snapshot: the session %s has no events, or is mode=discard\n",
		       session->name);
		return -EINVAL;
	}
	if (marker_ctf_session_swap(session, "control"))
		return 0;
	pr_err("ctf/control: snapshot: the session %s has an unread snapshot; read it first\n",
	       session->name);
	return -EEXIST;
}

static int act(struct marker_ctf_session *session, enum action action)
{
	switch (action) {
	case START:
		marker_ctf_session_start(session);
		return 0;
	case STOP:
		marker_ctf_session_stop(session);
		return 0;
	case FLUSH:
		marker_ctf_session_flush(session);
		return 0;
	case SNAPSHOT:
		return take_snapshot(session);
	case CLOSE:
		return marker_ctf_session_close(session);
	default:
		return 0;
	}
}

static int execute(struct marker_ctf_session *session, const struct request *request)
{
	int ret;

	lockdep_assert_held(&marker_ctf_session_lock);
	if (session->reader && (request->configure || request->action == CLOSE)) {
		pr_err("ctf/control: a reader has the packets; close that file first\n");
		return -EBUSY;
	}
	ret = request->configure ? marker_ctf_session_configure(session, &request->config) : 0;
	if (!ret)
		ret = act(session, request->action);
	if (ret == -EBUSY)
		pr_err("ctf/control: the buffers are in use by connections (%u); disconnect them first\n",
		       session->connections);
	return ret;
}

/* @words is cut up. */
static int parse(struct request *request, char *words)
{
	char *word;
	int ret = 0;

	while (!ret && (word = strsep(&words, " \t\n")))
		ret = *word ? parse_word(request, word) : 0;
	return ret;
}

static int disconnect(struct marker_probe *probe, bool (*is_of)(const void *, const void *),
		      const struct marker_ctf_session *session)
{
	int ret;

	do {
		ret = marker_probe_disconnect_if(probe, is_of, session);
	} while (ret == -EAGAIN || ret == -ETIMEDOUT);
	return ret;
}

int marker_ctf_control_disconnect(struct marker_ctf_session *session)
{
	return disconnect(&marker_ctf_probe, marker_ctf_probe_is_of, session) ?:
	       disconnect(&marker_ctf_snapshot_probe, marker_ctf_snapshot_is_of, session);
}

static int carry_out(struct marker_ctf_session *session, char *words)
{
	struct request request = {};
	int ret;

	mutex_lock(&marker_ctf_session_lock);
	request.config = session->config;
	ret = parse(&request, words);
	if (!ret)
		ret = execute(session, &request);
	mutex_unlock(&marker_ctf_session_lock);
	if (!ret && request.action == DISCONNECT)
		ret = marker_ctf_control_disconnect(session);
	return ret;
}

static ssize_t write_control(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char *words = count > COMMAND_MAX ? ERR_PTR(-EINVAL) : memdup_user_nul(from, count);
	int ret;

	if (IS_ERR(words))
		return PTR_ERR(words);
	ret = carry_out(file->private_data, words);
	kfree(words);
	return ret ?: count;
}

const struct file_operations marker_ctf_control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_control,
	.llseek = noop_llseek,
};
