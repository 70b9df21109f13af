// SPDX-License-Identifier: GPL-2.0-only
/* The session: the memory of the rings; open, close, start, stop. */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/vmalloc.h>
#include "sink_session.h"

/* Of everything in this file.  Taken by the callback of CPUs that come up, too. */
DEFINE_MUTEX(session_lock);
struct session session = {
	.config = { .size = SZ_1M },
	.classes = LIST_HEAD_INIT(session.classes),
	.by_id = XARRAY_INIT(session.by_id, 0),
};

/* Those that get a buffer: all that have been online. */
static struct cpumask cpus;
static int hotplug_state;

static struct ring_buffer *buffer_of(int cpu)
{
	return per_cpu_ptr(session.ring.buffers, cpu);
}

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

static int check_clock(enum session_clock clock)
{
	if (clock != SESSION_CLOCK_TSC || counter_khz())
		return 0;
	pr_err("ctf: clock=tsc: it is not stable here, or its frequency is not known; want clock=mono\n");
	return -EOPNOTSUPP;
}

static void choose_clock(void)
{
	u32 khz = counter_khz();

	session.ring.use_counter = session.config.clock != SESSION_CLOCK_MONO && khz;
	session.clock_hz = session.ring.use_counter ? khz * 1000ull : NSEC_PER_SEC;
	note_time();
}

/* The kernel would rather kill than refuse: so no more than half of what there is. */
static int check_memory(unsigned int nbuffers)
{
	u64 needed = nbuffers * ring_buffer_bytes(session.config.size);
	u64 available = (u64)max(si_mem_available(), 0l) << PAGE_SHIFT;

	if (needed <= available / 2)
		return 0;
	pr_err("ctf: size=%lu needs %llu bytes for %u CPUs, at most half of the available %llu bytes may be used\n",
	       session.config.size, needed, nbuffers, available);
	return -ENOMEM;
}

static int create_buffer(int cpu)
{
	const gfp_t flags = GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN;
	void *data = __vmalloc(session.config.size, flags);
	int ret = -ENOMEM;

	if (data)
		ret = ring_buffer_init(buffer_of(cpu), &session.ring, cpu, data,
				       session.config.size);
	if (ret) {
		vfree(data);
		pr_err("ctf: no memory for the %lu bytes of CPU %d\n", session.config.size, cpu);
	}
	return ret;
}

static void free_buffers(void)
{
	void *data;
	int cpu;

	for_each_possible_cpu(cpu) {
		data = buffer_of(cpu)->data;
		ring_buffer_exit(buffer_of(cpu));
		vfree(data);
	}
}

/* Where a buffer is missing events are counted as lost. */
static void clear_buffers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(buffer_of(cpu), 0, sizeof(struct ring_buffer));
		buffer_of(cpu)->ring = &session.ring;
		buffer_of(cpu)->cpu = cpu;
		buffer_of(cpu)->stopped = session.clock_value;
	}
}

static int open_session(void)
{
	int cpu, ret = check_clock(session.config.clock) ?: check_memory(cpumask_weight(&cpus));

	if (ret)
		return ret;
	session.ring.overwrite = session.config.overwrite;
	choose_clock();
	clear_buffers();
	for_each_cpu(cpu, &cpus) {
		ret = create_buffer(cpu);
		if (ret) {
			free_buffers();
			return ret;
		}
	}
	session.open = true;
	return 0;
}

/* Also called for those that are online already, when it is set up. */
static int prepare_cpu(unsigned int cpu)
{
	mutex_lock(&session_lock);
	cpumask_set_cpu(cpu, &cpus);
	if (session.open && !buffer_of(cpu)->data && (check_memory(1) || create_buffer(cpu)))
		pr_err("ctf: the events of CPU %u are lost\n", cpu);
	mutex_unlock(&session_lock);
	return 0;
}

int session_close(void)
{
	lockdep_assert_held(&session_lock);
	if (session.connections)
		return -EBUSY;
	if (!session.open)
		return 0;
	session.open = false;
	free_buffers();
	xa_destroy(&session.by_id);
	event_class_free_all(&session.classes);
	return 0;
}

int session_configure(const struct session_config *config)
{
	int ret = check_clock(config->clock) ?: session_close();

	if (!ret)
		session.config = *config;
	return ret;
}

static void update(bool stopped)
{
	int cpu;

	WRITE_ONCE(session.ring.stopped, stopped);
	for_each_possible_cpu(cpu)
		ring_buffer_update(buffer_of(cpu));
}

void session_flush(void)
{
	int cpu;

	lockdep_assert_held(&session_lock);
	for_each_possible_cpu(cpu)
		ring_flush(buffer_of(cpu));
}

void session_stop(void)
{
	int cpu;

	update(true);
	if (!session.open)
		return;
	/* A writer that has reserved room fills it with preemption disabled. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		ring_stop(buffer_of(cpu));
}

void session_start(void)
{
	update(false);
}

int session_attach(void)
{
	int ret = 0;

	mutex_lock(&session_lock);
	if (!session.open)
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
	int ret = 0;

	mutex_lock(&session_lock);
	event = event_class_get(&session.classes, site, &session.ring);
	if (!IS_ERR(event))
		ret = xa_err(xa_store(&session.by_id, event->id, event, GFP_KERNEL));
	mutex_unlock(&session_lock);
	return ret ? ERR_PTR(ret) : event;
}

int session_init(void)
{
	int ret;

	session.ring.buffers = alloc_percpu(struct ring_buffer);
	if (!session.ring.buffers)
		return -ENOMEM;
	get_random_bytes(&session.address_key, sizeof(session.address_key));
	ret = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "markers/ctf:prepare", prepare_cpu, NULL);
	if (ret < 0) {
		free_percpu(session.ring.buffers);
		return ret;
	}
	hotplug_state = ret;
	return 0;
}

void session_exit(void)
{
	cpuhp_remove_state(hotplug_state);
	mutex_lock(&session_lock);
	session_close();
	mutex_unlock(&session_lock);
	free_percpu(session.ring.buffers);
}
