// SPDX-License-Identifier: GPL-2.0-only
/* A session: the memory of its rings; open, close, start, stop, snapshot. */
#include <linux/rcupdate.h>
#include <linux/vmalloc.h>
#include "session.h"

/* Lock of all sessions. The callback of CPUs that come up takes it, too. */
DEFINE_MUTEX(marker_ctf_session_lock);
struct cpumask marker_ctf_session_cpus;
siphash_key_t marker_ctf_session_key;

static struct marker_ctf_buffer __percpu *buffers_of(struct marker_ctf_session *session,
						     unsigned int set)
{
	return &session->cpus->buffers[set];
}

static unsigned int active_set(struct marker_ctf_session *session)
{
	return READ_ONCE(session->ring.buffers) != buffers_of(session, 0);
}

struct marker_ctf_buffer *marker_ctf_session_active(struct marker_ctf_session *session, int cpu)
{
	return per_cpu_ptr(buffers_of(session, active_set(session)), cpu);
}

struct marker_ctf_buffer *marker_ctf_session_spare(struct marker_ctf_session *session, int cpu)
{
	return per_cpu_ptr(buffers_of(session, !active_set(session)), cpu);
}

static unsigned int nsets(const struct marker_ctf_session *session)
{
	return session->config.overwrite ? SESSION_BUFFERS : 1;
}

static u64 bytes_of_cpu(const struct marker_ctf_session *session)
{
	return nsets(session) * marker_ctf_buffer_bytes(session->config.size);
}

u64 marker_ctf_session_bytes(const struct marker_ctf_session *session)
{
	return session->open ? cpumask_weight(&marker_ctf_session_cpus) * bytes_of_cpu(session) :
			       0;
}

/*
 * Refuse more than half of the available memory, because the kernel would kill tasks before it
 * refuses.
 */
static int check_memory(const struct marker_ctf_session *session, unsigned int ncpus)
{
	u64 needed = ncpus * bytes_of_cpu(session);
	u64 available = (u64)max(si_mem_available(), 0l) << PAGE_SHIFT;

	if (needed <= available / 2)
		return 0;
	pr_err("ctf: session %s: size=%lu needs %llu bytes for %u CPUs, at most half of the available %llu bytes may be used\n",
	       session->name, session->config.size, needed, ncpus, available);
	return -ENOMEM;
}

static int create_buffer(struct marker_ctf_session *session, struct marker_ctf_buffer *buffer)
{
	const gfp_t flags = GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN;
	void *data = __vmalloc(session->config.size, flags);
	int ret = -ENOMEM;

	if (data)
		ret = marker_ctf_buffer_init(buffer, data, session->config.size);
	if (ret)
		vfree(data);
	return ret;
}

static void free_cpu(struct marker_ctf_session *session, int cpu)
{
	struct marker_ctf_cpu *buffers = per_cpu_ptr(session->cpus, cpu);
	unsigned int set;
	void *data;

	for (set = 0; set < SESSION_BUFFERS; set++) {
		data = buffers->buffers[set].data;
		marker_ctf_buffer_exit(&buffers->buffers[set]);
		vfree(data);
	}
}

static int create_cpu(struct marker_ctf_session *session, int cpu)
{
	struct marker_ctf_cpu *buffers = per_cpu_ptr(session->cpus, cpu);
	unsigned int set;

	for (set = 0; set < nsets(session); set++) {
		if (!create_buffer(session, &buffers->buffers[set]))
			continue;
		pr_err("ctf: session %s: no memory for the %llu bytes of CPU %d\n", session->name,
		       bytes_of_cpu(session), cpu);
		free_cpu(session, cpu);
		return -ENOMEM;
	}
	return 0;
}

static void free_all(struct marker_ctf_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu)
		free_cpu(session, cpu);
	marker_ctf_dump_free(&session->dump);
}

/* Events of a CPU without a buffer are counted as lost. */
static void clear_buffers(struct marker_ctf_session *session)
{
	struct marker_ctf_cpu *buffers;
	unsigned int set;
	int cpu;

	for_each_possible_cpu(cpu) {
		buffers = per_cpu_ptr(session->cpus, cpu);
		memset(&buffers->counts, 0, sizeof(buffers->counts));
		for (set = 0; set < SESSION_BUFFERS; set++)
			marker_ctf_buffer_clear(&buffers->buffers[set], &session->ring,
						&buffers->counts, &buffers->buffers[!set], cpu,
						session->opened.value);
	}
}

int marker_ctf_session_open(struct marker_ctf_session *session)
{
	int cpu, ret = marker_ctf_clock_check(session->config.clock) ?:
			       check_memory(session, cpumask_weight(&marker_ctf_session_cpus));

	if (ret)
		return ret;
	session->ring.overwrite = session->config.overwrite;
	session->ring.buffers = buffers_of(session, 0);
	atomic_set(&session->snapshot, 0);
	atomic_set(&session->missed, 0);
	session->clock_hz = marker_ctf_clock_choose(session->config.clock, &session->ring);
	marker_ctf_clock_times(&session->ring, &session->opened);
	clear_buffers(session);
	for_each_cpu(cpu, &marker_ctf_session_cpus) {
		ret = create_cpu(session, cpu);
		if (ret)
			goto err;
	}
	ret = marker_ctf_dump_session(&session->dump, session);
	if (ret)
		goto err;
	session->open = true;
	return 0;

err:
	free_all(session);
	return ret;
}

void marker_ctf_session_add_cpu(struct marker_ctf_session *session, unsigned int cpu)
{
	if (session->open && !marker_ctf_session_active(session, cpu)->data &&
	    (check_memory(session, 1) || create_cpu(session, cpu)))
		pr_err("ctf: session %s: the events of CPU %u are lost\n", session->name, cpu);
}

int marker_ctf_session_close(struct marker_ctf_session *session)
{
	lockdep_assert_held(&marker_ctf_session_lock);
	if (session->connections)
		return -EBUSY;
	if (!session->open)
		return 0;
	WRITE_ONCE(session->open, false);
	/* marker_ctf_session_seal() */
	synchronize_rcu();
	free_all(session);
	xa_destroy(&session->by_id);
	marker_ctf_class_free_all(&session->classes);
	return 0;
}

/* True if an event was stored or lost since it was opened. */
static bool is_used(struct marker_ctf_session *session)
{
	const struct marker_ctf_cpu *buffers;
	unsigned int set;
	bool used = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		buffers = per_cpu_ptr(session->cpus, cpu);
		used |= local_read(&buffers->counts.lost) || buffers->counts.recorded;
		for (set = 0; set < SESSION_BUFFERS; set++)
			used |= local_read(&buffers->buffers[set].position);
	}
	return used;
}

void marker_ctf_session_close_unused(struct marker_ctf_session *session)
{
	if (session->open && !session->owner && !session->reader && !is_used(session))
		marker_ctf_session_close(session);
}

int marker_ctf_session_configure(struct marker_ctf_session *session,
				 const struct marker_ctf_config *config)
{
	int ret = marker_ctf_clock_check(config->clock) ?: marker_ctf_session_close(session);

	if (!ret)
		session->config = *config;
	return ret;
}

static void visit_buffers(struct marker_ctf_session *session,
			  void (*visit)(struct marker_ctf_buffer *buffer))
{
	unsigned int set;
	int cpu;

	for_each_possible_cpu(cpu)
		for (set = 0; set < SESSION_BUFFERS; set++)
			visit(per_cpu_ptr(buffers_of(session, set), cpu));
}

void marker_ctf_session_flush(struct marker_ctf_session *session)
{
	lockdep_assert_held(&marker_ctf_session_lock);
	visit_buffers(session, marker_ctf_ring_flush);
}

void marker_ctf_session_stop(struct marker_ctf_session *session)
{
	WRITE_ONCE(session->ring.stopped, true);
	if (!session->open)
		return;
	/* Wait for swaps of buffers that have not seen that the ring is stopped. */
	synchronize_rcu();
	visit_buffers(session, marker_ctf_buffer_update);
	/* A writer that has reserved room fills it with preemption disabled. */
	synchronize_rcu();
	visit_buffers(session, marker_ctf_ring_stop);
}

void marker_ctf_session_start(struct marker_ctf_session *session)
{
	WRITE_ONCE(session->ring.stopped, false);
	if (session->open)
		visit_buffers(session, marker_ctf_buffer_update);
}

bool marker_ctf_session_swap(struct marker_ctf_session *session, const char *reason)
{
	if (!session->ring.overwrite)
		return false;
	if (atomic_cmpxchg(&session->snapshot, 0, 1)) {
		atomic_inc(&session->missed);
		return false;
	}
	session->taken = marker_ctf_clock_read(&session->ring);
	marker_ctf_ring_swap(&session->ring, buffers_of(session, !active_set(session)));
	strscpy(session->reason, reason, sizeof(session->reason));
	return true;
}

void marker_ctf_session_settle(struct marker_ctf_session *session)
{
	int cpu;

	lockdep_assert_held(&marker_ctf_session_lock);
	/* Writers find their buffer with preemption disabled, and so until they are done. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		marker_ctf_ring_flush(marker_ctf_session_spare(session, cpu));
}

void marker_ctf_session_seal(struct marker_ctf_session *session, bool ended)
{
	unsigned int set;
	int cpu;

	if (!READ_ONCE(session->open))
		return;
	for_each_possible_cpu(cpu)
		for (set = 0; set < nsets(session); set++)
			marker_ctf_ring_seal(per_cpu_ptr(buffers_of(session, set), cpu), ended);
}

struct marker_ctf_session *marker_ctf_session_alloc(const char *name)
{
	struct marker_ctf_session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return NULL;
	session->cpus = alloc_percpu(struct marker_ctf_cpu);
	if (!session->cpus) {
		kfree(session);
		return NULL;
	}
	strscpy(session->name, name, sizeof(session->name));
	session->config.size = SZ_1M;
	session->ring.buffers = buffers_of(session, 0);
	marker_ctf_classes_init(&session->classes);
	INIT_LIST_HEAD(&session->dump.pages);
	xa_init(&session->by_id);
	return session;
}

void marker_ctf_session_free(struct marker_ctf_session *session)
{
	free_percpu(session->cpus);
	kfree(session);
}
