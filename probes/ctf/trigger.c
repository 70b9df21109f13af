// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probe "snapshot": each event takes a snapshot of a session. A condition or first=N of the
 * connection selects the events. An oops and a panic take snapshots, too.
 *
 * Context of a site, an oops, a panic: any. No lock is taken; the list of sessions is walked under
 * RCU, for which removing or closing a session waits.
 */
#include <linux/kdebug.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/rculist.h>
#include "ctf.h"
#include "sessions.h"
#include "trigger.h"

static void notrace snapshot(MARKER_PARAMS)
{
	marker_ctf_session_swap(link->data, site->name);
}

static int check_session(const char *name)
{
	struct marker_ctf_session *session;
	int ret = 0;

	mutex_lock(&marker_ctf_session_lock);
	session = marker_ctf_sessions_find(name);
	if (!session) {
		ret = -ENOENT;
	} else if (!session->config.overwrite) {
		pr_err("snapshot: the session %s is mode=discard; want mode=overwrite\n",
		       session->name);
		ret = -EINVAL;
	}
	mutex_unlock(&marker_ctf_session_lock);
	return ret;
}

static void *attach(const char *args)
{
	char name[SESSION_NAME_MAX];
	int ret;

	args = marker_ctf_probe_session(args, name);
	if (args) {
		pr_err("snapshot: \"%s\": want nothing, or session=NAME\n", args);
		return ERR_PTR(-EINVAL);
	}
	ret = check_session(name);
	return ret ? ERR_PTR(ret) : marker_ctf_session_attach(name, false);
}

static void detach(void *session)
{
	marker_ctf_session_detach(session);
}

bool marker_ctf_snapshot_is_of(const void *data, const void *session)
{
	return data == session;
}

struct marker_probe marker_ctf_snapshot_probe = {
	.name = "snapshot",
	.func = snapshot,
	.attach = attach,
	.detach = detach,
	.owner = THIS_MODULE,
};

static int on_die(struct notifier_block *block, unsigned long event, void *unused)
{
	struct marker_ctf_session *session;

	if (event != DIE_OOPS)
		return NOTIFY_DONE;
	rcu_read_lock();
	list_for_each_entry_rcu(session, &marker_ctf_sessions, list) {
		/* The machine may not get any further. */
		marker_ctf_session_seal(session, false);
		if (READ_ONCE(session->open))
			marker_ctf_session_swap(session, "oops");
	}
	rcu_read_unlock();
	return NOTIFY_DONE;
}

static struct notifier_block die_block = { .notifier_call = on_die };

static int on_panic(struct notifier_block *block, unsigned long event, void *unused)
{
	struct marker_ctf_session *session;

	rcu_read_lock();
	list_for_each_entry_rcu(session, &marker_ctf_sessions, list) {
		WRITE_ONCE(session->ring.stopped, true);
		marker_ctf_session_seal(session, true);
	}
	rcu_read_unlock();
	return NOTIFY_DONE;
}

/* Before notifiers that may not return. */
static struct notifier_block panic_block = { .notifier_call = on_panic, .priority = INT_MAX };

int marker_ctf_trigger_init(void)
{
	int ret = register_die_notifier(&die_block);

	if (ret)
		return ret;
	ret = atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	if (ret)
		unregister_die_notifier(&die_block);
	return ret;
}

void marker_ctf_trigger_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	unregister_die_notifier(&die_block);
}
