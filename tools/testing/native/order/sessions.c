// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which the sessions of the recorder are opened, stopped, snapshotted, closed and
 * removed, and what an oops and a panic do to them: probes/ctf/session.c, sessions.c and trigger.c,
 * without the ring.
 */
#include "sessions_kernel.h"
#include "ctf/session.c"
#include "ctf/sessions.c"
#include "ctf/trigger.c"
#include "sessions_ring.h"

/* Make a session "one", and open it unless @closed. */
static void start(bool overwrite, bool closed)
{
	tested = LOCKED(marker_ctf_sessions_create("one"));
	tested->config.overwrite = overwrite;
	if (!closed)
		order_expect(marker_ctf_session_attach("one", false) == tested,
			     "the first connection opens it");
	order_forget();
}

static void end(void)
{
	struct marker_ctf_session *session;

	tested->connections = 0;
	session = LOCKED(marker_ctf_sessions_remove("one"));
	order_expect(session == tested, "the session is removed");
	order_expect(order_find("wait", NULL, order_find("unlist", NULL, 0)) > 0,
		     "an oops that may walk over it is waited for");
	order_expect(tested->removed, "its files know that");
	marker_ctf_session_free(tested);
	tested = NULL;
	order_expect(!allocated, "all memory of buffers is free");
}

static struct marker_ctf_buffer *buffer(unsigned int set, int cpu)
{
	return per_cpu_ptr(&tested->cpus->buffers[set], cpu);
}

static void test_open(void)
{
	struct marker_ctf_config config;
	unsigned int failing, failed = 0;

	start(true, true);
	for (failing = 0; failing < 4; failing++) {
		memory_left = failing;
		failed += IS_ERR(marker_ctf_session_attach("one", false)) && !tested->open &&
			  !tested->connections && !allocated;
	}
	memory_left = INT_MAX;
	order_expect(failed == 4,
		     "each buffer that there is no memory for: nothing is open, nothing is left");
	buffer_error = -ENOMEM;
	order_expect(marker_ctf_session_attach("one", false) == ERR_PTR(-ENOMEM) && !allocated,
		     "no memory for what counts a buffer's events");
	buffer_error = 0;
	dump_error = -ENOMEM;
	order_expect(marker_ctf_session_attach("one", false) == ERR_PTR(-ENOMEM) && !allocated &&
			     !tested->open,
		     "no memory for the description");
	dump_error = 0;
	clock_error = -EOPNOTSUPP;
	order_expect(marker_ctf_session_attach("one", false) == ERR_PTR(-EOPNOTSUPP), "no clock");
	clock_error = 0;
	/* Two buffers of 1 MiB for each of two CPUs, and 2 bytes and 8 for each packet of 4096. */
	available_pages = 2 * 2 * 2 * (256 * 4096 + 256 * 10) / 4096 + 1;
	order_expect(marker_ctf_session_attach("one", false) == tested,
		     "half of the memory is enough");
	tested->connections = 0;
	LOCKED(marker_ctf_session_close(tested));
	available_pages--;
	available_pages--;
	order_expect(marker_ctf_session_attach("one", false) == ERR_PTR(-ENOMEM),
		     "a page less is not");
	available_pages = 1 << 20;
	order_expect(marker_ctf_session_attach("none", false) == ERR_PTR(-ENOENT),
		     "no such session");
	order_expect(marker_ctf_session_attach("one", true) == ERR_PTR(-EPERM),
		     "stacks are refused where addresses are hashed");
	order_forget();
	order_expect(marker_ctf_session_attach("one", false) == tested, "it opens");
	order_expect(order_is("clear", buffer(1, 1), "buffer", buffer(1, 1)) &&
			     order_count("buffer", NULL) == 4,
		     "all buffers are cleared, and then get memory");
	order_expect(marker_ctf_session_attach("one", false) == tested &&
			     order_count("buffer", NULL) == 4 && tested->connections == 2,
		     "the second connection opens nothing");
	config = tested->config;
	config.size = SESSION_SIZE_MIN;
	order_expect(LOCKED(marker_ctf_session_configure(tested, &config)) == -EBUSY &&
			     tested->config.size == SZ_1M,
		     "it cannot be configured while it is connected");
	tested->connections = 0;
	order_expect(!LOCKED(marker_ctf_session_configure(tested, &config)) && !tested->open &&
			     tested->config.size == SESSION_SIZE_MIN,
		     "without connections it is closed and configured");
	end();
}

static void test_close(void)
{
	start(true, false);
	order_expect(LOCKED(marker_ctf_session_close(tested)) == -EBUSY && tested->open,
		     "a connection keeps it open");
	marker_ctf_session_detach(tested);
	order_expect(!tested->open, "the last connection closes it if it has no events");
	order_expect(order_is("wait, closed", tested, "no buffer", buffer(0, 0)) &&
			     order_is("wait, closed", tested, "free", NULL) &&
			     order_is("wait, closed", tested, "no classes", NULL),
		     "a panic that seals its buffers is waited for before they are freed");
	order_expect(order_count("no buffer", NULL) == 4 && order_count("free", NULL) == 4,
		     "all are freed");
	end();
	start(false, false);
	local_set(&buffer(0, 1)->position, 8);
	marker_ctf_session_detach(tested);
	order_expect(tested->open, "a stored event keeps it open");
	local_set(&buffer(0, 1)->position, 0);
	local_set(&per_cpu_ptr(tested->cpus, 1)->counts.lost, 1);
	LOCKED((marker_ctf_session_close_unused(tested), 0));
	order_expect(tested->open, "a lost event keeps it open");
	local_set(&per_cpu_ptr(tested->cpus, 1)->counts.lost, 0);
	per_cpu_ptr(tested->cpus, 0)->counts.recorded = 1;
	LOCKED((marker_ctf_session_close_unused(tested), 0));
	order_expect(tested->open, "an event that was read keeps it open");
	per_cpu_ptr(tested->cpus, 0)->counts.recorded = 0;
	tested->owner = 1;
	LOCKED((marker_ctf_session_close_unused(tested), 0));
	order_expect(tested->open, "an owner keeps it open");
	tested->owner = 0;
	tested->reader = true;
	LOCKED((marker_ctf_session_close_unused(tested), 0));
	order_expect(tested->open, "a reader keeps it open");
	tested->reader = false;
	LOCKED((marker_ctf_session_close_unused(tested), 0));
	order_expect(!tested->open, "nothing keeps it open");
	end();
}

static void test_stop(void)
{
	struct marker_ctf_buffer *last;

	start(true, false);
	last = buffer(1, 1);
	marker_ctf_session_stop(tested);
	order_expect(order_is("wait, stopped", tested, "stop writers", buffer(0, 0)),
		     "swaps that have not seen the stop are waited for");
	order_expect(order_find("wait", NULL, order_find("stop writers", last, 0)) > 0 &&
			     order_find("stop", buffer(0, 0),
					order_find("wait", NULL,
						   order_find("stop writers", last, 0))) > 0 &&
			     order_find("stop", NULL, 0) > order_find("stop writers", last, 0),
		     "then all writers are stopped, are waited for, and the rings end");
	order_expect(order_count("stop", NULL) == 4, "all rings end");
	order_forget();
	marker_ctf_session_start(tested);
	order_expect(order_count("continue writers", NULL) == 4 &&
			     !order_count("stop writers", NULL),
		     "they continue");
	order_forget();
	LOCKED((marker_ctf_session_flush(tested), 0));
	order_expect(order_count("flush", NULL) == 4, "all are flushed");
	tested->connections = 0;
	LOCKED(marker_ctf_session_close(tested));
	order_forget();
	marker_ctf_session_stop(tested);
	order_expect(tested->ring.stopped && !order_count("wait", NULL),
		     "a closed session only stays stopped");
	marker_ctf_session_start(tested);
	order_expect(!tested->ring.stopped && !order_count("continue writers", NULL),
		     "and only continues");
	end();
}

static void test_snapshot(void)
{
	char reason[MARKER_NAME_SIZE + 2] = "";

	start(true, false);
	order_expect(marker_ctf_session_swap(tested, "first"), "a snapshot is taken");
	order_expect(order_is("read the clock", &tested->ring, "swap", tested->cpus->buffers + 1) &&
			     tested->taken == 4711,
		     "its time is read, and events go to the other buffers");
	order_expect(marker_ctf_session_spare(tested, 1) == buffer(0, 1) &&
			     marker_ctf_session_active(tested, 1) == buffer(1, 1),
		     "it is in the first buffers");
	order_expect(!marker_ctf_session_swap(tested, "second") &&
			     atomic_read(&tested->missed) == 1 && order_count("swap", NULL) == 1 &&
			     !strcmp(tested->reason, "first"),
		     "the next one is missed while the first is not read");
	order_forget();
	LOCKED((marker_ctf_session_settle(tested), 0));
	order_expect(order_is("wait", NULL, "flush", buffer(0, 0)) &&
			     order_is("wait", NULL, "flush", buffer(0, 1)),
		     "its writers are waited for before it can be read");
	order_expect(order_count("flush", NULL) == 2, "the other buffers continue");
	atomic_set(&tested->snapshot, 0);
	memset(reason, 'r', sizeof(reason) - 1);
	order_expect(marker_ctf_session_swap(tested, reason) &&
			     strlen(tested->reason) == MARKER_NAME_SIZE - 1,
		     "a long reason is cut");
	end();
	start(false, false);
	order_expect(!marker_ctf_session_swap(tested, "none") && !atomic_read(&tested->snapshot),
		     "a session that discards has no snapshots");
	end();
}

static void test_names(void)
{
	static const char *const refused[] = { "", "a b", "a/b", "a.b", "\xe4",
					       "12345678901234567890123456789012" };
	unsigned int i, n = 0;

	start(true, true);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		n += LOCKED(marker_ctf_sessions_create(refused[i])) == ERR_PTR(-EINVAL);
	order_expect(n == ARRAY_SIZE(refused), "names that no file can have are refused");
	order_expect(LOCKED(marker_ctf_sessions_create("one")) == ERR_PTR(-EEXIST),
		     "a name is there once");
	order_expect(LOCKED(marker_ctf_sessions_remove("default")) == ERR_PTR(-EBUSY),
		     "the default one stays");
	order_expect(LOCKED(marker_ctf_sessions_remove("")) == ERR_PTR(-EINVAL),
		     "a name is needed to remove");
	order_expect(LOCKED(marker_ctf_sessions_remove("two")) == ERR_PTR(-ENOENT),
		     "no such session");
	tested->owner = 1;
	order_expect(LOCKED(marker_ctf_sessions_remove("one")) == ERR_PTR(-EBUSY),
		     "an owner keeps it");
	tested->owner = 0;
	tested->reader = true;
	order_expect(LOCKED(marker_ctf_sessions_remove("one")) == ERR_PTR(-EBUSY),
		     "a reader keeps it");
	tested->reader = false;
	tested->connections = 1;
	order_expect(LOCKED(marker_ctf_sessions_remove("one")) == ERR_PTR(-EBUSY),
		     "a connection keeps it");
	order_expect(!tested->removed && LOCKED(marker_ctf_sessions_find("one")) == tested,
		     "it is still there");
	end();
}

static void test_classes(void)
{
	static const struct marker_site site;

	start(true, false);
	dump_error = -ENOMEM;
	order_expect(marker_ctf_session_class(tested, &site, 0) == ERR_PTR(-ENOMEM) &&
			     !tested->by_id.at[2],
		     "a class that is not described is not known");
	dump_error = 0;
	store_error = -ENOMEM;
	order_expect(marker_ctf_session_class(tested, &site, 0) == ERR_PTR(-ENOMEM) &&
			     !tested->by_id.at[2],
		     "nor one that is not listed");
	store_error = 0;
	order_forget();
	marker_ctf_session_class(tested, &site, 0);
	order_expect(marker_ctf_session_class(tested, &site, 0) == &class &&
			     tested->by_id.at[2] == &class && order_count("describe", &class) == 1,
		     "it is described once");
	end();
}

static void test_oops(void)
{
	start(true, false);
	die->notifier_call(die, DIE_OOPS + 1, NULL);
	order_expect(!order_n, "a fault that is no oops changes nothing");
	die->notifier_call(die, DIE_OOPS, NULL);
	order_expect(order_count("seal", NULL) == 4 && !order_count("seal for ever", NULL) &&
			     order_find("swap", NULL, order_find("seal", buffer(1, 1), 0)) > 0 &&
			     order_find("swap", NULL, 0) > order_find("seal", buffer(1, 1), 0),
		     "an oops seals all buffers, and then takes a snapshot");
	order_expect(!strcmp(tested->reason, "oops") && !tested->ring.stopped, "events continue");
	order_expect(order_is("rcu_read_lock", NULL, "seal", buffer(0, 0)) &&
			     order_find("rcu_read_unlock", NULL, order_find("swap", NULL, 0)) > 0,
		     "the list is walked under RCU");
	order_forget();
	panicking->notifier_call(panicking, 0, NULL);
	order_expect(tested->ring.stopped && order_count("seal for ever", NULL) == 4,
		     "a panic stops all events, and seals all buffers for ever");
	order_expect(order_is("rcu_read_lock", NULL, "seal for ever", buffer(0, 0)) &&
			     order_is("seal for ever", buffer(1, 1), "rcu_read_unlock", NULL),
		     "under RCU");
	order_expect(panicking->priority == INT_MAX, "before others, which may not return");
	WRITE_ONCE(tested->ring.stopped, false);
	tested->connections = 0;
	LOCKED(marker_ctf_session_close(tested));
	atomic_set(&tested->snapshot, 0);
	order_forget();
	die->notifier_call(die, DIE_OOPS, NULL);
	order_expect(!order_count("seal", NULL) && !order_count("swap", NULL),
		     "a closed session has nothing to seal");
	end();
	start(false, false);
	die->notifier_call(die, DIE_OOPS, NULL);
	order_expect(order_count("seal", NULL) == 2 && !order_count("swap", NULL),
		     "a session that discards has one buffer for each CPU");
	end();
}

static void test_trigger(void)
{
	struct marker_ctf_session *session;

	start(false, true);
	order_expect(attach(NULL) == ERR_PTR(-EINVAL) || attach("") == ERR_PTR(-EINVAL),
		     "a snapshot of a session that discards is refused");
	end();
	start(true, true);
	order_expect(attach("x") == ERR_PTR(-EINVAL), "another word is refused");
	session = attach(NULL);
	if (IS_ERR(session))
		session = attach("");
	order_expect(session == tested && tested->open && tested->connections == 1,
		     "it has a connection");
	order_expect(marker_ctf_snapshot_is_of(session, tested) &&
			     !marker_ctf_snapshot_is_of(NULL, tested),
		     "of this session");
	detach(session);
	order_expect(!tested->connections && !tested->open, "which ends");
	end();
}

static void test_cpu(void)
{
	start(true, false);
	order_expect(!hotplug(1), "a CPU that has its buffers comes up again");
	order_expect(!order_count("buffer", NULL), "and keeps them");
	tested->connections = 0;
	LOCKED(marker_ctf_session_close(tested));
	marker_ctf_session_cpus.bits = 1;
	marker_ctf_session_attach("one", false);
	order_expect(!buffer(0, 1)->data && !buffer(1, 1)->data &&
			     marker_ctf_session_bytes(tested) == 2 * marker_ctf_buffer_bytes(SZ_1M),
		     "a CPU that was never up has none");
	memory_left = 1;
	order_expect(!hotplug(1) && !buffer(0, 1)->data && !buffer(1, 1)->data,
		     "without memory for both it comes up with none");
	memory_left = INT_MAX;
	marker_ctf_session_cpus.bits = 1;
	order_expect(!hotplug(1) && buffer(0, 1)->data && buffer(1, 1)->data &&
			     marker_ctf_session_bytes(tested) == 4 * marker_ctf_buffer_bytes(SZ_1M),
		     "with memory it gets both");
	end();
}

int main(void)
{
	hotplug_error = -ENOMEM;
	order_expect(marker_ctf_sessions_init() == -ENOMEM,
		     "without a callback for CPUs there are no sessions");
	INIT_LIST_HEAD(&marker_ctf_sessions);
	hotplug_error = 0;
	order_expect(!marker_ctf_sessions_init(), "with one there are");
	order_expect(!hotplug(1), "another CPU is up");
	panic_chain_error = -EINVAL;
	order_expect(marker_ctf_trigger_init() == -EINVAL && !die,
		     "without a panic's call there is none of an oops");
	panic_chain_error = 0;
	order_expect(!marker_ctf_trigger_init() && die && panicking, "both are there");
	test_open();
	test_close();
	test_stop();
	test_snapshot();
	test_names();
	test_classes();
	test_oops();
	test_trigger();
	test_cpu();
	order_forget();
	marker_ctf_trigger_exit();
	order_expect(!die && !panicking, "no call is left");
	marker_ctf_sessions_exit();
	order_expect(
		order_is("no CPU comes up", NULL, "unlist", NULL) &&
			order_is("unlist", NULL, "wait", NULL),
		"no CPU comes up, the sessions are taken from the list, and an oops is waited for");
	order_expect(!order_holds("&marker_ctf_session_lock"), "no lock is held");
	return order_end();
}
