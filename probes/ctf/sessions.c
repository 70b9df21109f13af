// SPDX-License-Identifier: GPL-2.0-only
/* The list of sessions; CPUs that come up; attaching connections to a session. */
#include <linux/cpuhotplug.h>
#include <linux/ctype.h>
#include <linux/rculist.h>
#include <linux/random.h>
#include "sessions.h"

#define DEFAULT_NAME	"default"

LIST_HEAD(marker_ctf_sessions);
static int hotplug_state;

static struct marker_ctf_session *find(const char *name)
{
	struct marker_ctf_session *session;

	lockdep_assert_held(&marker_ctf_session_lock);
	list_for_each_entry(session, &marker_ctf_sessions, list)
		if (!strcmp(session->name, name))
			return session;
	return NULL;
}

struct marker_ctf_session *marker_ctf_sessions_find(const char *name)
{
	struct marker_ctf_session *session = find(*name ? name : DEFAULT_NAME);

	if (!session)
		pr_err("ctf: there is no session \"%s\"; see ctf/sessions\n", name);
	return session;
}

/* True if @name is valid; else the log says that it is not. */
static bool is_name(const char *name)
{
	size_t len = 0;

	/* isalnum() has letters that are not ASCII, too. */
	while (isascii(name[len]) && name[len] &&
	       (isalnum(name[len]) || strchr("_-", name[len])))
		len++;
	if (len && len < SESSION_NAME_MAX && !name[len])
		return true;
	pr_err("ctf/sessions: \"%s\": want a name of up to %u letters, digits, '_' and '-'\n",
	       name, SESSION_NAME_MAX - 1);
	return false;
}

struct marker_ctf_session *marker_ctf_sessions_create(const char *name)
{
	struct marker_ctf_session *session;

	if (!is_name(name))
		return ERR_PTR(-EINVAL);
	if (find(name)) {
		pr_err("ctf/sessions: the session \"%s\" exists\n", name);
		return ERR_PTR(-EEXIST);
	}
	session = marker_ctf_session_alloc(name);
	if (!session)
		return ERR_PTR(-ENOMEM);
	list_add_tail_rcu(&session->list, &marker_ctf_sessions);
	return session;
}

struct marker_ctf_session *marker_ctf_sessions_remove(const char *name)
{
	struct marker_ctf_session *session;
	const char *why = NULL;

	/* For other commands, an empty name is the default session. */
	if (!is_name(name))
		return ERR_PTR(-EINVAL);
	session = marker_ctf_sessions_find(name);
	if (!session)
		return ERR_PTR(-ENOENT);
	if (!strcmp(name, DEFAULT_NAME))
		why = "is always there";
	else if (session->owner)
		why = "has an owner, who records";
	else if (session->reader)
		why = "is being read";
	else if (marker_ctf_session_close(session))
		why = "has connections; disconnect them first";
	if (why) {
		pr_err("ctf/sessions: the session \"%s\" %s\n", name, why);
		return ERR_PTR(-EBUSY);
	}
	list_del_rcu(&session->list);
	session->removed = true;
	/* An oops walks the list of sessions. */
	synchronize_rcu();
	return session;
}

struct marker_ctf_session *marker_ctf_session_attach(const char *name, bool raw)
{
	struct marker_ctf_session *session;
	int ret = -ENOENT;

	mutex_lock(&marker_ctf_session_lock);
	session = marker_ctf_sessions_find(name);
	if (!session)
		goto out;
	ret = 0;
	if (raw && !session->config.raw_addresses) {
		pr_err("ctf: context=kstack: addresses of a stack cannot be hashed; want addresses=raw\n");
		ret = -EPERM;
	} else if (!session->open) {
		ret = marker_ctf_session_open(session);
	}
	if (!ret)
		session->connections++;
out:
	mutex_unlock(&marker_ctf_session_lock);
	return ret ? ERR_PTR(ret) : session;
}

void marker_ctf_session_detach(struct marker_ctf_session *session)
{
	mutex_lock(&marker_ctf_session_lock);
	session->connections--;
	/* Close the session if it has no other use. */
	marker_ctf_session_close_unused(session);
	mutex_unlock(&marker_ctf_session_lock);
}

struct marker_ctf_class *marker_ctf_session_class(struct marker_ctf_session *session,
						  const struct marker_site *site, u32 context)
{
	struct marker_ctf_class *event;
	int ret = 0;

	mutex_lock(&marker_ctf_session_lock);
	event = marker_ctf_class_get(&session->classes, site, context, &session->ring);
	if (!IS_ERR(event) && !xa_load(&session->by_id, event->id)) {
		ret = xa_err(xa_store(&session->by_id, event->id, event, GFP_KERNEL)) ?:
		      marker_ctf_dump_class(&session->dump, event);
		/* After an error the next call describes the class, so it is described once. */
		if (ret)
			xa_erase(&session->by_id, event->id);
	}
	mutex_unlock(&marker_ctf_session_lock);
	return ret ? ERR_PTR(ret) : event;
}

/* Prepare a CPU; at set-up, also called for CPUs that are online already. */
static int prepare_cpu(unsigned int cpu)
{
	struct marker_ctf_session *session;

	mutex_lock(&marker_ctf_session_lock);
	cpumask_set_cpu(cpu, &marker_ctf_session_cpus);
	list_for_each_entry(session, &marker_ctf_sessions, list)
		marker_ctf_session_add_cpu(session, cpu);
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}

int marker_ctf_sessions_init(void)
{
	struct marker_ctf_session *session;
	int ret;

	get_random_bytes(&marker_ctf_session_key, sizeof(marker_ctf_session_key));
	mutex_lock(&marker_ctf_session_lock);
	session = marker_ctf_sessions_create(DEFAULT_NAME);
	mutex_unlock(&marker_ctf_session_lock);
	if (IS_ERR(session))
		return PTR_ERR(session);
	ret = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "markers/ctf:prepare", prepare_cpu, NULL);
	if (ret < 0) {
		list_del(&session->list);
		marker_ctf_session_free(session);
		return ret;
	}
	hotplug_state = ret;
	return 0;
}

void marker_ctf_sessions_exit(void)
{
	struct marker_ctf_session *session, *next;

	cpuhp_remove_state(hotplug_state);
	mutex_lock(&marker_ctf_session_lock);
	list_for_each_entry_safe(session, next, &marker_ctf_sessions, list) {
		list_del_rcu(&session->list);
		synchronize_rcu();
		marker_ctf_session_close(session);
		marker_ctf_session_free(session);
	}
	mutex_unlock(&marker_ctf_session_lock);
}
