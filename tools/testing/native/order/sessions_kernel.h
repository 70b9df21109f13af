/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the kernel that the sessions of the recorder call, for sessions.c. */
#ifndef ORDER_SESSIONS_KERNEL_H
#define ORDER_SESSIONS_KERNEL_H

#include <ctype.h>
#include <limits.h>
#include "order.h"
#include "env/user/env_local.h"
#include "env/user/hashtable.h"
#include "linux/seq_file.h"

/* linux/cpumask.h, linux/cpuhotplug.h: two CPUs, of which the second one comes up later */

struct cpumask {
	unsigned long bits;
};

#define cpumask_weight(mask) __builtin_popcountl((mask)->bits)
#define cpumask_set_cpu(cpu, mask) ((mask)->bits |= BIT(cpu))
#define for_each_cpu(cpu, mask)             \
	for ((cpu) = 0; (cpu) < 2; (cpu)++) \
		if ((mask)->bits >> (cpu) & 1)
#undef for_each_possible_cpu
#undef per_cpu_ptr
#undef alloc_percpu
#define CPUS 2
#define PER_CPU_BYTES 4096
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < CPUS; (cpu)++)
#define per_cpu_ptr(p, cpu) ((typeof(p))((char *)(p) + (cpu) * PER_CPU_BYTES))
#define alloc_percpu(type) ((type *)calloc(CPUS, PER_CPU_BYTES))
#define CPUHP_BP_PREPARE_DYN 1

static int hotplug_error;
static int (*hotplug)(unsigned int cpu);

static int cpuhp_setup_state(int state, const char *name, int (*up)(unsigned int cpu), void *down)
{
	hotplug = up;
	return hotplug_error ?: up(0) ?: 7;
}

static void cpuhp_remove_state(int state)
{
	order_note(state == 7 ? "no CPU comes up" : "another state", NULL);
}

/* linux/xarray.h: of few small indices */

struct xarray {
	void *at[4];
};

static int store_error;
#define xa_init(xa) memset(xa, 0, sizeof(*(xa)))
#define xa_destroy(xa) xa_init(xa)
#define xa_load(xa, index) ((xa)->at[index])
#define xa_erase(xa, index) ((xa)->at[index] = NULL)
#define xa_err(result) (result)
#define xa_store(xa, index, value, flags) (store_error ?: ((xa)->at[index] = (value), 0))

/* linux/rcupdate.h, linux/rculist.h */

static void synchronize_rcu(void);
#define rcu_read_lock() order_note("rcu_read_lock", NULL)
#define rcu_read_unlock() order_note("rcu_read_unlock", NULL)
#define list_add_tail_rcu list_add_tail
#define list_for_each_entry_rcu list_for_each_entry

static void list_del_rcu(struct list_head *node)
{
	list_del(node);
	order_note("unlist", NULL);
}

/* linux/vmalloc.h, linux/mm.h */

#define __GFP_ZERO 0
#define __GFP_NORETRY 0
#define __GFP_NOWARN 0
#define PAGE_SHIFT 12
#define SZ_1M BIT(20)
#define SZ_1G BIT(30)

static long available_pages = 1 << 20;
static int memory_left = INT_MAX; /* allocations until one fails */
static unsigned int allocated;

static long si_mem_available(void)
{
	return available_pages;
}

static void *__vmalloc(unsigned long size, unsigned int flags)
{
	if (!memory_left--)
		return NULL;
	allocated++;
	return malloc(16);
}

static void vfree(void *data)
{
	if (data)
		order_note("free", NULL);
	allocated -= !!data;
	free(data);
}

/* linux/notifier.h, linux/kdebug.h, and the rest */

#define DIE_OOPS 1
#define NOTIFY_DONE 0

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long event, void *data);
	int priority;
};

static int panic_chain_error, panic_notifier_list;
static struct notifier_block *die, *panicking;

static int register_die_notifier(struct notifier_block *block)
{
	die = block;
	return 0;
}

static int unregister_die_notifier(struct notifier_block *block)
{
	die = NULL;
	return 0;
}

static int atomic_notifier_chain_register(int *list, struct notifier_block *block)
{
	if (!panic_chain_error)
		panicking = block;
	return panic_chain_error;
}

static int atomic_notifier_chain_unregister(int *list, struct notifier_block *block)
{
	panicking = NULL;
	return 0;
}

#ifndef TASK_COMM_LEN
#define TASK_COMM_LEN 16
#endif
typedef struct {
	u64 key[2];
} siphash_key_t;
#define get_random_bytes(to, bytes) memset(to, 1, bytes)
#define atomic_cmpxchg(v, old, new) cmpxchg(&(v)->counter, old, new)
#ifndef ERR_CAST
#define ERR_CAST(error) ((void *)(error))
#endif

#endif
