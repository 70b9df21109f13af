// SPDX-License-Identifier: GPL-2.0-only
/* KUnit suite of the markers: markers and probes of its own. */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/marker.h>
#include <linux/tracepoint.h>

#define TURNS		50

enum kunit_state { KUNIT_IDLE, KUNIT_BUSY = 7 };

static struct {
	unsigned int calls;
	const struct marker *marker;
	u64 args[MARKER_ARGS_MAX];
} seen;

static noinline void fire_none(void)
{
	MARK(kunit_none, "no arguments");
}

static noinline void fire(int number, void *pointer)
{
	MARK(kunit_event, "number=%d pointer=%p", number, pointer);
}

/* Of the same event. */
static noinline void fire_again(int number, void *pointer)
{
	MARK(kunit_event, "number=%d pointer=%p", number, pointer);
}

/* Of the same name, but not the same event: it is refused alone. */
static noinline void fire_other(void)
{
	MARK(kunit_event, "number=%lu", 1UL);
}

/* Whose format cannot be recorded. */
static noinline void fire_malformed(void)
{
	MARK(kunit_malformed, "width=%*d", 3, 1);
}

/* The second field is arg1 for lack of a name. */
static noinline void fire_ambiguous(void)
{
	MARK(kunit_ambiguous, "arg1=%d %d", 1, 2);
}

/* For which an event would take what the address leads to. */
static noinline void fire_backtrace(void)
{
	MARK(kunit_backtrace, "at=%pB", (void *)fire_backtrace);
}

/* The name of the second field begins behind the first. */
static noinline void fire_close(int a, int b)
{
	MARK(kunit_close, "a=%db=%d", a, b);
}

static noinline void fire_types(s8 a, u16 b, int c, u64 d, const char *e, bool f, long g, s16 h)
{
	MARK(kunit_types, "a=%d b=%u c=%d d=%llu e=%s f=%d g=%ld h=%d", a, b, c, d, e, f, g, h);
}

static noinline void fire_fields(const u8 *mac, enum kunit_state state, u16 port)
{
	MARK_FIELDS(kunit_fields, field(u16, port), bytes(mac, 6),
		    symbolic(state, state, KUNIT_IDLE, KUNIT_BUSY), field(str, text, "text"));
}

static noinline void fire_smp(unsigned long number)
{
	MARK(kunit_smp, "number=%lu", number);
}

static void look(void *data, const struct marker *marker, unsigned long ip, const u64 *args)
{
	unsigned int i;

	seen.calls++;
	seen.marker = marker;
	for (i = 0; i < MARKER_ARGS_MAX && marker->types >> (4 * i); i++)
		seen.args[i] = args[i];
}

extern struct marker __start___markers[], __stop___markers[];

/* A marker of that name which is used, or of that format which is refused. */
static struct marker *find(const char *name, const char *refused)
{
	struct marker *marker = __start___markers, *end = __stop___markers;

	for (; marker < end; marker++)
		if (marker->event ? name && !strcmp(marker->tp.name + strlen(MARKER_PREFIX), name) :
				    refused && !strcmp(marker->format, refused))
			return marker;
	return NULL;
}

static void test_arguments(struct kunit *test)
{
	struct marker *marker = find("kunit_types", NULL);

	KUNIT_ASSERT_NOT_NULL(test, marker);
	fire_types(-1, 2, -3, 4, "five", true, -7, -8);
	KUNIT_EXPECT_EQ(test, seen.calls, 0);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	fire_types(-1, 2, -3, 1ULL << 63, "five", true, -7, -8);
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	fire_types(0, 0, 0, 0, NULL, false, 0, 0);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_PTR_EQ(test, seen.marker, (const struct marker *)marker);
	KUNIT_EXPECT_EQ(test, (s64)seen.args[0], -1);
	KUNIT_EXPECT_EQ(test, seen.args[1], 2);
	KUNIT_EXPECT_EQ(test, (s64)seen.args[2], -3);
	KUNIT_EXPECT_EQ(test, seen.args[3], 1ULL << 63);
	KUNIT_EXPECT_STREQ(test, (char *)(unsigned long)seen.args[4], "five");
	KUNIT_EXPECT_EQ(test, seen.args[5], 1);
	KUNIT_EXPECT_EQ(test, (s64)seen.args[6], -7);
	KUNIT_EXPECT_EQ(test, (s64)seen.args[7], -8);
}

static void test_no_arguments(struct kunit *test)
{
	struct marker *marker = find("kunit_none", NULL);

	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	fire_none();
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	fire_none();
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
}

static void test_fields(struct kunit *test)
{
	static const u8 mac[6] = { 1, 2, 3, 4, 5, 6 };
	struct marker *marker = find("kunit_fields", NULL);

	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_EXPECT_STREQ(test, marker->format, " port=%hu mac=%6ph state=%p text=%s");
	KUNIT_ASSERT_NOT_NULL(test, marker->symbols);
	KUNIT_EXPECT_STREQ(test, marker->symbols[1].name, "KUNIT_BUSY");
	KUNIT_EXPECT_EQ(test, marker->symbols[1].mask, 7);
	KUNIT_EXPECT_NULL(test, marker->symbols[2].name);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	fire_fields(mac, KUNIT_BUSY, 80);
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_EQ(test, seen.args[0], 80);
	KUNIT_EXPECT_PTR_EQ(test, (const u8 *)(unsigned long)seen.args[1], &mac[0]);
	KUNIT_EXPECT_EQ(test, seen.args[2], 7);
}

/* Whoever is registered at one marker of an event is at all of them. */
static void test_same_event(struct kunit *test)
{
	struct marker *marker = find("kunit_event", NULL);

	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	KUNIT_EXPECT_NE(test, marker_probe_register(marker, look, NULL), 0);
	fire(1, NULL);
	fire_again(2, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
	KUNIT_EXPECT_EQ(test, seen.args[0], 2);
	fire_other();
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	fire(1, NULL);
	fire_again(2, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
}

static void test_refused(struct kunit *test)
{
	struct marker *other = find(NULL, "number=%lu");
	struct marker *malformed = find(NULL, "width=%*d");
	struct marker *ambiguous = find(NULL, "arg1=%d %d");
	struct marker *backtrace = find(NULL, "at=%pB");

	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_NOT_NULL(test, malformed);
	KUNIT_ASSERT_NOT_NULL(test, ambiguous);
	KUNIT_ASSERT_NOT_NULL(test, backtrace);
	KUNIT_EXPECT_EQ(test, marker_probe_register(other, look, NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, marker_probe_register(malformed, look, NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, marker_probe_register(ambiguous, look, NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, marker_probe_register(backtrace, look, NULL), -ENOENT);
	/* BPF finds the marker of its name that has an event. */
	KUNIT_EXPECT_STREQ(test, other->tp.name, MARKER_PREFIX);
	fire_malformed();
	fire_ambiguous();
	fire_backtrace();
	fire_close(1, 2);
	KUNIT_EXPECT_EQ(test, seen.calls, 0);
}

/* All CPUs pass a marker while a probe comes and goes, and another one stays. */
static DEFINE_PER_CPU(unsigned long, passed);
static DEFINE_PER_CPU(unsigned long, counted);
static DEFINE_PER_CPU(unsigned long, wrong);
static DEFINE_PER_CPU(unsigned long, turned);
static bool may_turn;

static void count(void *data, const struct marker *marker, unsigned long ip, const u64 *args)
{
	this_cpu_inc(counted);
	if (data != &counted || args[0] != raw_smp_processor_id())
		this_cpu_inc(wrong);
}

static void turn(void *data, const struct marker *marker, unsigned long ip, const u64 *args)
{
	this_cpu_inc(turned);
	if (data != &turned || !READ_ONCE(may_turn))
		this_cpu_inc(wrong);
}

static int pass(void *data)
{
	unsigned long cpu = (unsigned long)data;

	while (!kthread_should_stop()) {
		fire_smp(cpu);
		this_cpu_inc(passed);
		cond_resched();
	}
	return 0;
}

static unsigned long sum(unsigned long __percpu *of)
{
	unsigned long all = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		all += per_cpu(*of, cpu);
	return all;
}

static void test_smp(struct kunit *test)
{
	struct marker *marker = find("kunit_smp", NULL);
	struct task_struct **tasks;
	unsigned int i, cpus = 0;
	int cpu;

	tasks = kunit_kcalloc(test, nr_cpu_ids, sizeof(*tasks), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, tasks);
	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, count, &counted), 0);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		tasks[cpus] = kthread_create(pass, (void *)(long)cpu, "kunit_pass/%d", cpu);
		if (IS_ERR(tasks[cpus]))
			break;
		kthread_bind(tasks[cpus], cpu);
		wake_up_process(tasks[cpus++]);
	}
	cpus_read_unlock();
	for (i = 0; i < TURNS; i++) {
		WRITE_ONCE(may_turn, true);
		KUNIT_EXPECT_EQ(test, marker_probe_register(marker, turn, &turned), 0);
		schedule_timeout_uninterruptible(1);
		KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, turn, &turned), 0);
		tracepoint_synchronize_unregister();
		WRITE_ONCE(may_turn, false);
	}
	for (i = 0; i < cpus; i++)
		kthread_stop(tasks[i]);
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, count, &counted), 0);
	KUNIT_EXPECT_EQ(test, cpus, num_online_cpus());
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_GT(test, per_cpu(passed, cpu), 0);
	KUNIT_EXPECT_EQ(test, sum(&counted), sum(&passed));
	KUNIT_EXPECT_EQ(test, sum(&wrong), 0);
	KUNIT_EXPECT_GT(test, sum(&turned), 0);
	kunit_info(test, "%lu events, %lu of them seen by a probe that came and went\n",
		   sum(&counted), sum(&turned));
}

static int setup(struct kunit *test)
{
	memset(&seen, 0, sizeof(seen));
	return 0;
}

static void teardown(struct kunit *test)
{
	tracepoint_synchronize_unregister();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_arguments),
	KUNIT_CASE(test_no_arguments),
	KUNIT_CASE(test_fields),
	KUNIT_CASE(test_same_event),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_smp),
	{ }
};

static struct kunit_suite suite = {
	.name = "markers",
	.init = setup,
	.exit = teardown,
	.test_cases = cases,
};

kunit_test_suite(suite);
