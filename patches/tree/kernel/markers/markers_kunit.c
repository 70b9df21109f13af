// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit suite of the markers: sites and a probe of its own, connected and
 * disconnected as debugfs would.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/marker.h>
#include <linux/markers/marker_probe.h>
#include "command.h"
#include "registry.h"

#define FORMAT "%d %p"

static struct {
	unsigned int calls;
	int number;
	void *pointer;
} seen;

static noinline void fire(int number, void *pointer)
{
	MARK(kunit_event, FORMAT, number, pointer);
}

static noinline void fire_generic(int number, void *pointer)
{
	MARK_GENERIC(kunit_generic, FORMAT, number, pointer);
}

static noinline void fire_other(void)
{
	MARK(kunit_other, "%s", "text");
}

/* Of a kind that no kernel has registered when it reads its own table. */
static void __used fire_refused(void)
{
	MARKER_SITE(MARKER_GATE_OTHERS_LAST, kunit_event_refused, FORMAT, 0, NULL);
	MARKER_GATE_RECORD(&seen, &__marker_site);
}

static void notrace look(MARKER_PARAMS)
{
	seen.number = a;
	seen.pointer = (void *)b;
	seen.calls++;
}

static struct marker_probe look_probe = {
	.name = "kunit_look",
	.format = FORMAT,
	.func = look,
	.leaf = true,
};

/* It stays: this file is its module. */
static struct marker_site_state *first_site(const char *name)
{
	struct marker_site_state *site = NULL;
	struct marker *marker;

	mutex_lock(&marker_mutex);
	marker = marker_registry_find_marker(name);
	if (marker)
		site = list_first_entry(&marker->sites, struct marker_site_state, peers);
	mutex_unlock(&marker_mutex);
	return site;
}

/* Whether what stands at the gates is what the registry thinks it is. */
static bool is_verified(const struct marker_site_state *site)
{
	u8 bytes[MARKER_GATE_CODE_MAX];
	unsigned int i, len;

	for (i = 0; i < site->ngates; i++) {
		len = marker_gate_encode(&site->gates[i], site->gates[i].open, bytes);
		if (memcmp(site->gates[i].code, bytes, len))
			return false;
	}
	return true;
}

/* The site is alone under its name, or the copies would be counted. */
static void test_site(struct kunit *test, const char *name, void (*run)(int, void *))
{
	char command[64];
	struct marker_site_state *site = first_site(name);

	KUNIT_ASSERT_NOT_NULL(test, site);
	KUNIT_EXPECT_TRUE(test, is_verified(site));
	run(1, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 0);

	snprintf(command, sizeof(command), "connect %s kunit_look", name);
	KUNIT_ASSERT_EQ(test, marker_command_execute(command), 0);
	KUNIT_EXPECT_EQ(test, marker_command_execute(command), -EEXIST);
	KUNIT_EXPECT_TRUE(test, is_verified(site));
	run(-7, &seen);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_EQ(test, seen.number, -7);
	KUNIT_EXPECT_PTR_EQ(test, seen.pointer, (void *)&seen);

	snprintf(command, sizeof(command), "disconnect %s", name);
	KUNIT_ASSERT_EQ(test, marker_command_execute(command), 0);
	KUNIT_EXPECT_TRUE(test, is_verified(site));
	run(1, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
}

static void test_mark(struct kunit *test)
{
	test_site(test, "kunit_event", fire);
}

static void test_generic(struct kunit *test)
{
	test_site(test, "kunit_generic", fire_generic);
}

static void test_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, marker_command_execute("connect kunit_other kunit_look"), -EINVAL);
	KUNIT_EXPECT_EQ(test, marker_command_execute("connect kunit_none kunit_look"), -ENOENT);
	KUNIT_EXPECT_EQ(test, marker_command_execute("connect kunit_event kunit_none"), -ENOENT);
	KUNIT_EXPECT_EQ(test, marker_command_execute("connect kunit_event kunit_look; frob"),
			-EINVAL);
	fire_other();
	fire(1, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 0);
}

/* It takes no other site of the kernel's table with it. */
static void test_refused_alone(struct kunit *test)
{
	struct marker_site_state *site = first_site("kunit_event_refused");

	KUNIT_ASSERT_NOT_NULL(test, site);
	KUNIT_EXPECT_TRUE(test, site->refused);
	KUNIT_EXPECT_EQ(test, site->ngates, 0);
	KUNIT_EXPECT_EQ(test, marker_command_execute("connect kunit_event_refused kunit_look"),
			-EOPNOTSUPP);
	KUNIT_ASSERT_EQ(test, marker_command_execute("connect kunit_event* kunit_look"), 0);
	fire(1, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_EQ(test, marker_command_execute("disconnect kunit_event*"), 0);
}

/* All CPUs pass a site while it is connected and disconnected. */
#define TURNS		20
#define TIMEOUT_MS	10000

static DEFINE_PER_CPU(unsigned long, passes);
static DEFINE_PER_CPU(unsigned long, calls_a);
static DEFINE_PER_CPU(unsigned long, calls_b);
static DEFINE_PER_CPU(unsigned long, stale);	/* calls with the link of the other probe */

static void notrace count_a(MARKER_PARAMS)
{
	this_cpu_inc(calls_a);
	if (link->func != count_a)
		this_cpu_inc(stale);
}

static void notrace count_b(MARKER_PARAMS)
{
	this_cpu_inc(calls_b);
	if (link->func != count_b)
		this_cpu_inc(stale);
}

static struct marker_probe probe_a = { .name = "kunit_a", .func = count_a, .leaf = true };
static struct marker_probe probe_b = { .name = "kunit_b", .func = count_b, .leaf = true };

static noinline void fire_smp(int number)
{
	MARK(kunit_smp, "%d", number);
}

static noinline void fire_smp_generic(int number)
{
	MARK_GENERIC(kunit_smp_generic, "%d", number);
}

static int pass(void *run)
{
	void (*fire_one)(int) = run;

	while (!kthread_should_stop()) {
		fire_one(1);
		this_cpu_inc(passes);
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static unsigned long sum(unsigned long __percpu *counts)
{
	unsigned long n = 0;
	int cpu;

	for_each_online_cpu(cpu)
		n += READ_ONCE(*per_cpu_ptr(counts, cpu));
	return n;
}

/* Whether each CPU counts on. */
static bool all_count(unsigned long __percpu *counts)
{
	unsigned long end = jiffies + msecs_to_jiffies(TIMEOUT_MS), before;
	int cpu;

	for_each_online_cpu(cpu) {
		before = READ_ONCE(*per_cpu_ptr(counts, cpu));
		while (READ_ONCE(*per_cpu_ptr(counts, cpu)) == before) {
			if (time_after(jiffies, end))
				return false;
			usleep_range(100, 200);
		}
	}
	return true;
}

/* Whether none does, while all CPUs pass the site. */
static bool none_counts(unsigned long __percpu *counts)
{
	unsigned long before = sum(counts);

	return all_count(&passes) && sum(counts) == before;
}

static int command(const char *format, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), format, name, name);
	return marker_command_execute(text);
}

/* One probe, another in the same transaction, none: each is called then and only then. */
static void turn(struct kunit *test, const char *name)
{
	unsigned long passed, called;

	KUNIT_EXPECT_EQ(test, command("connect %s kunit_a", name), 0);
	called = sum(&calls_a);
	passed = sum(&passes);
	KUNIT_EXPECT_TRUE(test, all_count(&calls_a));
	/* Each CPU may be between a call and its count. */
	passed = sum(&passes) - passed;
	KUNIT_EXPECT_GE(test, sum(&calls_a) - called + num_online_cpus(), passed);

	KUNIT_EXPECT_EQ(test, command("disconnect %s kunit_a; connect %s kunit_b", name), 0);
	KUNIT_EXPECT_TRUE(test, none_counts(&calls_a));
	KUNIT_EXPECT_TRUE(test, all_count(&calls_b));
	KUNIT_EXPECT_EQ(test, command("disconnect %s", name), 0);
	KUNIT_EXPECT_TRUE(test, none_counts(&calls_b));
}

static void test_site_smp(struct kunit *test, const char *name, void (*run)(int))
{
	unsigned long stale_before = sum(&stale);
	struct task_struct **threads, *thread;
	unsigned int n = 0, i;
	int cpu;

	threads = kunit_kcalloc(test, nr_cpu_ids, sizeof(*threads), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, threads);
	KUNIT_ASSERT_EQ(test, marker_probe_register(&probe_a), 0);
	KUNIT_EXPECT_EQ(test, marker_probe_register(&probe_b), 0);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		thread = kthread_create(pass, run, "markers_kunit/%d", cpu);
		if (IS_ERR(thread))
			break;
		kthread_bind(thread, cpu);
		wake_up_process(thread);
		threads[n++] = thread;
	}
	KUNIT_EXPECT_EQ(test, n, num_online_cpus());
	cpus_read_unlock();
	for (i = 0; i < TURNS; i++)
		turn(test, name);
	KUNIT_EXPECT_TRUE(test, is_verified(first_site(name)));
	KUNIT_EXPECT_EQ(test, sum(&stale), stale_before);
	while (n--)
		kthread_stop(threads[n]);
	marker_probe_unregister(&probe_b);
	marker_probe_unregister(&probe_a);
}

static void test_smp(struct kunit *test)
{
	test_site_smp(test, "kunit_smp", fire_smp);
}

static void test_smp_generic(struct kunit *test)
{
	test_site_smp(test, "kunit_smp_generic", fire_smp_generic);
}

#ifdef CONFIG_KPROBES
static int nothing(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

static void test_kprobe(struct kunit *test)
{
	struct marker_site_state *site = first_site("kunit_event");
	struct kprobe kprobe = { .pre_handler = nothing };
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, site);
	if (!site->ngates || !marker_gate_kind_is_code(site->gates[0].kind))
		kunit_skip(test, "no gates of code here");
	kprobe.addr = (kprobe_opcode_t *)site->gates[0].code;
	ret = register_kprobe(&kprobe);
	KUNIT_EXPECT_EQ(test, ret, -EINVAL);
	if (!ret)
		unregister_kprobe(&kprobe);
}
#endif

static int start(struct kunit *test)
{
	memset(&seen, 0, sizeof(seen));
	return marker_probe_register(&look_probe);
}

static void stop(struct kunit *test)
{
	marker_probe_unregister(&look_probe);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_mark),
	KUNIT_CASE(test_generic),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_refused_alone),
	KUNIT_CASE(test_smp),
	KUNIT_CASE(test_smp_generic),
#ifdef CONFIG_KPROBES
	KUNIT_CASE(test_kprobe),
#endif
	{ }
};

static struct kunit_suite suite = {
	.name = "markers",
	.init = start,
	.exit = stop,
	.test_cases = cases,
};

kunit_test_suite(suite);
