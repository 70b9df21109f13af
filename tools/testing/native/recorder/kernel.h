/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the kernel that the recorder (probes/ctf) uses, in a program: debugfs is a tree of
 * the structures below, a CPU hotplug callback is called at once, RCU waits for nothing. The
 * Makefile makes a header linux/NAME.h that includes this one for each that the recorder includes.
 */
#ifndef RECORDER_KERNEL_H
#define RECORDER_KERNEL_H

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
#include "env.h"
#include "env_local.h"
#include "requests.h"

/* linux/types.h, linux/sizes.h, linux/bits.h, linux/kernel.h, linux/math64.h */

#define __user
typedef mode_t umode_t;
#define U32_MAX			(~0u)
#define SZ_64K			0x10000ul
#define SZ_512K			0x80000ul
#define SZ_1M			0x100000ul
#define SZ_1G			0x40000000ul
#define PAGE_SHIFT		12
#define NSEC_PER_SEC		1000000000ull
#define hash_64(value, bits)	hash_long(value, bits)
#define __GFP_ZERO		0u
#define __GFP_NORETRY		0u
#define __GFP_NOWARN		0u

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return 1ul << (8 * sizeof(n) - __builtin_clzl(n - 1));
}

static inline unsigned long long memparse(const char *s, char **end)
{
	static const char units[] = "KMG";
	unsigned long long value = strtoull(s, end, 0);
	const char *unit = **end ? strchr(units, **end & ~0x20) : NULL;

	if (!unit)
		return value;
	++*end;
	return value << 10 * (unit - units + 1);
}

static inline int match_string(const char *const *texts, size_t n, const char *text)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(texts[i], text))
			return i;
	return -EINVAL;
}

/* linux/sched.h */

#define TASK_COMM_LEN		16
#define current			((void *)1)
#define task_tgid_nr(task)	((void)(task), 321)
#define get_task_comm(to, task)	((void)(task), strcpy(to, "recorder"))

/* linux/err.h, linux/atomic.h, linux/ktime.h, linux/delay.h */

static inline int atomic_cmpxchg(atomic_t *v, int old, int new)
{
	return cmpxchg(&v->counter, old, new);
}

#define ns_to_ktime(ns)		(ns)
#define ktime_to_ns(time)	(time)
#define ktime_mono_to_real(ns)	((ns) + 1700000000123456789ull)
#define usleep_range(min, max)		((void)(min), (void)(max))

/* linux/rcupdate.h, linux/rculist.h */

#define synchronize_rcu()	((void)0)
#define rcu_read_lock()		((void)0)
#define rcu_read_unlock()	((void)0)
#define list_add_tail_rcu	list_add_tail
#define list_del_rcu		list_del
#define list_for_each_entry_rcu	list_for_each_entry

/* linux/vmalloc.h, linux/gfp.h, linux/mm.h */

#define __vmalloc(size, flags)	((void)(flags), recorder_pages(size))
#define vfree			recorder_free_pages
#define get_zeroed_page(flags)	((void)(flags), (unsigned long)recorder_pages(PAGE_SIZE))
#define free_page(page)		recorder_free_pages((void *)(page))

/* Pages that are available. */
extern long recorder_available;
#define si_mem_available()	recorder_available

/* linux/cpumask.h, linux/cpuhotplug.h */

struct cpumask {
	unsigned long bits;
};

#define cpumask_weight(mask)	((unsigned int)__builtin_popcountl((mask)->bits))
#define cpumask_set_cpu(cpu, mask)	((void)((mask)->bits |= BIT(cpu)))
#define for_each_cpu(cpu, mask)						\
	for_each_possible_cpu(cpu)					\
		if ((mask)->bits & BIT(cpu))
#define cpu_possible(cpu)	((cpu) < RECORDER_CPUS)
#define CPUHP_BP_PREPARE_DYN	0
int cpuhp_setup_state(int state, const char *name, int (*prepare)(unsigned int cpu),
		      void *teardown);
void cpuhp_remove_state(int state);

/* linux/siphash.h, linux/random.h */

typedef struct {
	u64 key;
} siphash_key_t;

#define siphash_1u64(value, by)	(((value) ^ (by)->key) * 0x9e3779b97f4a7c15ull >> 7)
void get_random_bytes(void *to, size_t size);
u32 get_random_u32(void);

/* linux/xarray.h */

struct xarray {
	unsigned long n;
	void **entries;
};

#define xa_init(xa)		((void)(*(xa) = (struct xarray){ }))
#define xa_err(entry)		PTR_ERR_OR_ZERO(entry)
void *xa_load(struct xarray *xa, unsigned long index);
void *xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t flags);
void xa_erase(struct xarray *xa, unsigned long index);
void xa_destroy(struct xarray *xa);

/* linux/notifier.h, linux/kdebug.h, linux/panic_notifier.h */

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long event, void *data);
	int priority;
};

#define NOTIFY_DONE		0
#define DIE_OOPS		1ul
#define panic_notifier_list	recorder_panic
/* The only block of each chain. */
extern struct notifier_block *recorder_die, *recorder_panic;
int recorder_register(struct notifier_block **chain, struct notifier_block *block);
#define register_die_notifier(block)	recorder_register(&recorder_die, block)
void recorder_unregister(struct notifier_block **chain);
#define unregister_die_notifier(block)	((void)(block), recorder_unregister(&recorder_die))
#define atomic_notifier_chain_register(chain, block)	recorder_register(chain, block)
#define atomic_notifier_chain_unregister(chain, block)	((void)(block), recorder_unregister(chain))

/* linux/kallsyms.h: each address is a symbol of one byte. */

#define KSYM_SYMBOL_LEN			64
#define sprint_symbol(to, address)	((void)(address), strcpy(to, "function+0x0/0x1 [self]"))

/* linux/utsname.h */

struct new_utsname {
	char nodename[65], release[65];
};

static inline const struct new_utsname *init_utsname(void)
{
	static const struct new_utsname name = { "box", "6.1.0-program" };

	return &name;
}

#include "fs.h"

/* The program loads and unloads the recorder. */
int recorder_load(void);
void recorder_unload(void);
extern struct module recorder_module;
#undef THIS_MODULE
#define THIS_MODULE		(&recorder_module)
#undef module_init
#undef module_exit
#define module_init(init)	int recorder_load(void) { return init(); }
#define module_exit(exit)	void recorder_unload(void) { exit(); }

#endif
