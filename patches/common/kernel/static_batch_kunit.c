// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit suite of static_keys_set() and static_calls_update(): more branches than fit into one
 * batch, and what other CPUs see of them while they are patched.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/jump_label.h>
#include <linux/kthread.h>
#include <linux/static_call.h>

#define NR_KEYS		300
#define TURNS		20

static DEFINE_STATIC_KEY_ARRAY_FALSE(batch_keys, NR_KEYS);

#define TEN(M, n)	M(n##0) M(n##1) M(n##2) M(n##3) M(n##4)		\
			M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define HUNDRED(M, n)	TEN(M, n##0) TEN(M, n##1) TEN(M, n##2) TEN(M, n##3) TEN(M, n##4) \
			TEN(M, n##5) TEN(M, n##6) TEN(M, n##7) TEN(M, n##8) TEN(M, n##9)

/* Keys have three digits, so that none is octal. */
#define COUNT(n)	count += static_branch_unlikely(&batch_keys[(n) - 100]);

static noinline unsigned int enabled_branches(void)
{
	unsigned int count = 0;

	HUNDRED(COUNT, 1)
	HUNDRED(COUNT, 2)
	HUNDRED(COUNT, 3)
	return count;
}

static int one(void)
{
	return 1;
}

static int two(void)
{
	return 2;
}

DEFINE_STATIC_CALL(batch_call_a, one);
DEFINE_STATIC_CALL(batch_call_b, one);
DEFINE_STATIC_CALL(batch_call_c, two);

static noinline int called(void)
{
	return static_call(batch_call_a)() + 10 * static_call(batch_call_b)() +
	       100 * static_call(batch_call_c)();
}

#define CHANGE(call, to)	{ &STATIC_CALL_KEY(call), STATIC_CALL_TRAMP_ADDR(call), to }

static const struct static_call_change forth[] = {
	CHANGE(batch_call_a, two), CHANGE(batch_call_b, two), CHANGE(batch_call_c, one),
};

static const struct static_call_change back[] = {
	CHANGE(batch_call_a, one), CHANGE(batch_call_b, one), CHANGE(batch_call_c, two),
};

static struct static_key **all_keys(struct kunit *test)
{
	struct static_key **keys = kunit_kcalloc(test, NR_KEYS, sizeof(*keys), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, keys);
	for (i = 0; i < NR_KEYS; i++)
		keys[i] = &batch_keys[i].key;
	return keys;
}

static void test_keys(struct kunit *test)
{
	struct static_key **keys = all_keys(test);

	KUNIT_EXPECT_EQ(test, enabled_branches(), 0);
	static_keys_set(keys, NR_KEYS, true);
	KUNIT_EXPECT_EQ(test, enabled_branches(), NR_KEYS);
	KUNIT_EXPECT_EQ(test, static_key_count(keys[0]), 1);
	KUNIT_EXPECT_EQ(test, static_key_count(keys[NR_KEYS - 1]), 1);
	static_keys_set(keys, NR_KEYS, false);
	KUNIT_EXPECT_EQ(test, enabled_branches(), 0);
	static_keys_set(keys, 0, true);
	KUNIT_EXPECT_EQ(test, enabled_branches(), 0);
}

/* Keys that are enabled already stay enabled, and static_branch_enable() knows the others. */
static void test_some_keys(struct kunit *test)
{
	struct static_key **keys = all_keys(test);

	static_branch_enable(&batch_keys[1]);
	static_keys_set(keys, 3, true);
	KUNIT_EXPECT_EQ(test, enabled_branches(), 3);
	static_branch_disable(&batch_keys[2]);
	KUNIT_EXPECT_EQ(test, enabled_branches(), 2);
	static_keys_set(keys, 3, false);
	KUNIT_EXPECT_EQ(test, enabled_branches(), 0);
}

static void test_calls(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, called(), 211);
	static_calls_update(forth, ARRAY_SIZE(forth));
	KUNIT_EXPECT_EQ(test, called(), 122);
	/* What a call leads to already may be named. */
	static_calls_update(forth, ARRAY_SIZE(forth));
	KUNIT_EXPECT_EQ(test, called(), 122);
	static_calls_update(back, ARRAY_SIZE(back));
	KUNIT_EXPECT_EQ(test, called(), 211);
}

static DEFINE_PER_CPU(unsigned long, passed);
static DEFINE_PER_CPU(unsigned long, wrong);

static int pass(void *data)
{
	while (!kthread_should_stop()) {
		int value = called();

		if (enabled_branches() > NR_KEYS || value / 100 < 1 || value / 100 > 2 ||
		    value % 10 < 1 || value % 10 > 2)
			this_cpu_inc(wrong);
		this_cpu_inc(passed);
		cond_resched();
	}
	return 0;
}

/* All CPUs execute what is patched. */
static void test_smp(struct kunit *test)
{
	struct static_key **keys = all_keys(test);
	struct task_struct **tasks;
	unsigned int i, cpus = 0;
	int cpu;

	tasks = kunit_kcalloc(test, nr_cpu_ids, sizeof(*tasks), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, tasks);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		tasks[cpus] = kthread_create(pass, NULL, "kunit_batch/%d", cpu);
		if (IS_ERR(tasks[cpus]))
			break;
		kthread_bind(tasks[cpus], cpu);
		wake_up_process(tasks[cpus++]);
	}
	cpus_read_unlock();
	for (i = 0; i < TURNS; i++) {
		static_keys_set(keys, NR_KEYS, true);
		static_calls_update(forth, ARRAY_SIZE(forth));
		KUNIT_EXPECT_EQ(test, enabled_branches(), NR_KEYS);
		KUNIT_EXPECT_EQ(test, called(), 122);
		schedule_timeout_uninterruptible(1);
		static_calls_update(back, ARRAY_SIZE(back));
		static_keys_set(keys, NR_KEYS, false);
		KUNIT_EXPECT_EQ(test, enabled_branches(), 0);
		KUNIT_EXPECT_EQ(test, called(), 211);
	}
	for (i = 0; i < cpus; i++)
		kthread_stop(tasks[i]);
	for_each_online_cpu(cpu) {
		KUNIT_EXPECT_GT(test, per_cpu(passed, cpu), 0);
		KUNIT_EXPECT_EQ(test, per_cpu(wrong, cpu), 0);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_keys),
	KUNIT_CASE(test_some_keys),
	KUNIT_CASE(test_calls),
	KUNIT_CASE(test_smp),
	{ }
};

static struct kunit_suite suite = {
	.name = "static_batch",
	.test_cases = cases,
};

kunit_test_suite(suite);
