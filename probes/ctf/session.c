// SPDX-License-Identifier: GPL-2.0-only
/* The session: the memory of the rings; open, close, start, stop. */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/vmalloc.h>
#include "session.h"

/* Of everything in this file.  Taken by the callback of CPUs that come up, too. */
DEFINE_MUTEX(marker_ctf_session_lock);
struct marker_ctf_session marker_ctf_session = {
	.config = { .size = SZ_1M },
	.classes = LIST_HEAD_INIT(marker_ctf_session.classes),
	.by_id = XARRAY_INIT(marker_ctf_session.by_id, 0),
};

/* Those that get a buffer: all that have been online. */
static struct cpumask cpus;
static int hotplug_state;

static struct marker_ctf_buffer *buffer_of(int cpu)
{
	return per_cpu_ptr(marker_ctf_session.ring.buffers, cpu);
}

static u64 read_clock(void)
{
	if (marker_ctf_session.ring.use_counter)
		return marker_counter_read();
	return ktime_get_mono_fast_ns();
}

void marker_ctf_session_time(struct marker_ctf_time *time)
{
	u64 before, mono, gap, least = U64_MAX;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		local_irq_save(flags);
		before = read_clock();
		mono = ktime_get_ns();
		gap = read_clock() - before;
		local_irq_restore(flags);
		if (gap >= least)
			continue;
		least = gap;
		time->value = before + gap / 2;
		time->mono = mono;
	}
	if (!marker_ctf_session.ring.use_counter)
		time->value = time->mono;
	/* An addition: no third clock is read, and so there is no gap. */
	time->realtime = ktime_to_ns(ktime_mono_to_real(ns_to_ktime(time->mono)));
}

static int check_clock(enum marker_ctf_clock clock)
{
	if (clock != SESSION_CLOCK_TSC || marker_counter_khz())
		return 0;
	pr_err("ctf: clock=tsc: it is not stable here, or its frequency is not known; want clock=mono\n");
	return -EOPNOTSUPP;
}

static void choose_clock(void)
{
	u32 khz = marker_counter_khz();

	marker_ctf_session.ring.use_counter =
		marker_ctf_session.config.clock != SESSION_CLOCK_MONO && khz;
	marker_ctf_session.clock_hz =
		marker_ctf_session.ring.use_counter ? khz * 1000ull : NSEC_PER_SEC;
	marker_ctf_session_time(&marker_ctf_session.opened);
}

/* The kernel would rather kill than refuse: so no more than half of what there is. */
static int check_memory(unsigned int nbuffers)
{
	u64 needed = nbuffers * marker_ctf_buffer_bytes(marker_ctf_session.config.size);
	u64 available = (u64)max(si_mem_available(), 0l) << PAGE_SHIFT;

	if (needed <= available / 2)
		return 0;
	pr_err("ctf: size=%lu needs %llu bytes for %u CPUs, at most half of the available %llu bytes may be used\n",
	       marker_ctf_session.config.size, needed, nbuffers, available);
	return -ENOMEM;
}

static int create_buffer(int cpu)
{
	const gfp_t flags = GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN;
	void *data = __vmalloc(marker_ctf_session.config.size, flags);
	int ret = -ENOMEM;

	if (data)
		ret = marker_ctf_buffer_init(buffer_of(cpu), &marker_ctf_session.ring, cpu, data,
					     marker_ctf_session.config.size);
	if (ret) {
		vfree(data);
		pr_err("ctf: no memory for the %lu bytes of CPU %d\n",
		       marker_ctf_session.config.size, cpu);
	}
	return ret;
}

static void free_buffers(void)
{
	void *data;
	int cpu;

	for_each_possible_cpu(cpu) {
		data = buffer_of(cpu)->data;
		marker_ctf_buffer_exit(buffer_of(cpu));
		vfree(data);
	}
}

/* Where a buffer is missing events are counted as lost. */
static void clear_buffers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(buffer_of(cpu), 0, sizeof(struct marker_ctf_buffer));
		buffer_of(cpu)->ring = &marker_ctf_session.ring;
		buffer_of(cpu)->cpu = cpu;
		buffer_of(cpu)->stopped = marker_ctf_session.opened.value;
	}
}

static int open_session(void)
{
	int cpu, ret = check_clock(marker_ctf_session.config.clock) ?:
			       check_memory(cpumask_weight(&cpus));

	if (ret)
		return ret;
	marker_ctf_session.ring.overwrite = marker_ctf_session.config.overwrite;
	choose_clock();
	clear_buffers();
	for_each_cpu(cpu, &cpus) {
		ret = create_buffer(cpu);
		if (ret) {
			free_buffers();
			return ret;
		}
	}
	marker_ctf_session.open = true;
	return 0;
}

/* Also called for those that are online already, when it is set up. */
static int prepare_cpu(unsigned int cpu)
{
	mutex_lock(&marker_ctf_session_lock);
	cpumask_set_cpu(cpu, &cpus);
	if (marker_ctf_session.open && !buffer_of(cpu)->data &&
	    (check_memory(1) || create_buffer(cpu)))
		pr_err("ctf: the events of CPU %u are lost\n", cpu);
	mutex_unlock(&marker_ctf_session_lock);
	return 0;
}

int marker_ctf_session_close(void)
{
	lockdep_assert_held(&marker_ctf_session_lock);
	if (marker_ctf_session.connections)
		return -EBUSY;
	if (!marker_ctf_session.open)
		return 0;
	marker_ctf_session.open = false;
	free_buffers();
	xa_destroy(&marker_ctf_session.by_id);
	marker_ctf_class_free_all(&marker_ctf_session.classes);
	return 0;
}

int marker_ctf_session_configure(const struct marker_ctf_config *config)
{
	int ret = check_clock(config->clock) ?: marker_ctf_session_close();

	if (!ret)
		marker_ctf_session.config = *config;
	return ret;
}

static void update(bool stopped)
{
	int cpu;

	WRITE_ONCE(marker_ctf_session.ring.stopped, stopped);
	for_each_possible_cpu(cpu)
		marker_ctf_buffer_update(buffer_of(cpu));
}

void marker_ctf_session_flush(void)
{
	int cpu;

	lockdep_assert_held(&marker_ctf_session_lock);
	for_each_possible_cpu(cpu)
		marker_ctf_ring_flush(buffer_of(cpu));
}

void marker_ctf_session_stop(void)
{
	int cpu;

	update(true);
	if (!marker_ctf_session.open)
		return;
	/* A writer that has reserved room fills it with preemption disabled. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		marker_ctf_ring_stop(buffer_of(cpu));
}

void marker_ctf_session_start(void)
{
	update(false);
}

int marker_ctf_session_attach(bool raw)
{
	int ret = 0;

	mutex_lock(&marker_ctf_session_lock);
	if (raw && !marker_ctf_session.config.raw_addresses) {
		pr_err("ctf: context=kstack: addresses are hashed, and these cannot be; want addresses=raw\n");
		ret = -EPERM;
	} else if (!marker_ctf_session.open) {
		ret = open_session();
	}
	if (!ret)
		marker_ctf_session.connections++;
	mutex_unlock(&marker_ctf_session_lock);
	return ret;
}

void marker_ctf_session_detach(void)
{
	mutex_lock(&marker_ctf_session_lock);
	marker_ctf_session.connections--;
	mutex_unlock(&marker_ctf_session_lock);
}

struct marker_ctf_class *marker_ctf_session_class(const struct marker_site *site, u32 context)
{
	struct marker_ctf_class *event;
	int ret = 0;

	mutex_lock(&marker_ctf_session_lock);
	event = marker_ctf_class_get(&marker_ctf_session.classes, site, context,
				     &marker_ctf_session.ring);
	if (!IS_ERR(event))
		ret = xa_err(xa_store(&marker_ctf_session.by_id, event->id, event, GFP_KERNEL));
	mutex_unlock(&marker_ctf_session_lock);
	return ret ? ERR_PTR(ret) : event;
}

int marker_ctf_session_init(void)
{
	int ret;

	marker_ctf_session.ring.buffers = alloc_percpu(struct marker_ctf_buffer);
	if (!marker_ctf_session.ring.buffers)
		return -ENOMEM;
	get_random_bytes(&marker_ctf_session.address_key, sizeof(marker_ctf_session.address_key));
	ret = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "markers/ctf:prepare", prepare_cpu, NULL);
	if (ret < 0) {
		free_percpu(marker_ctf_session.ring.buffers);
		return ret;
	}
	hotplug_state = ret;
	return 0;
}

void marker_ctf_session_exit(void)
{
	cpuhp_remove_state(hotplug_state);
	mutex_lock(&marker_ctf_session_lock);
	marker_ctf_session_close();
	mutex_unlock(&marker_ctf_session_lock);
	free_percpu(marker_ctf_session.ring.buffers);
}
