// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit suite of the markers, a part of trace_events_mark.c: markers and probes of its own, and
 * formats that no marker of a kernel has.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/kthread.h>

#define TURNS		50

static struct {
	unsigned int calls;
	const struct marker *marker;
	unsigned long ip;
	u64 args[MARKER_ARGS_MAX];
} seen;

static noinline void fire_none(void)
{
	MARK(kunit_none, "no arguments");
}

/* Not cloned, for its address; the marker is the last statement. */
static noinline __noclone void fire(int number, void *pointer)
{
	MARK(kunit_event, "number=%d pointer=%p", number, pointer);
}

/* Of the same event. */
static noinline void fire_again(int number, void *pointer)
{
	MARK(kunit_event, "number=%d pointer=%p", number, pointer);
}

static noinline void fire_types(s8 a, u16 b, int c, u64 d, const char *e, bool f, long g, s16 h)
{
	MARK(kunit_types, "a=%d b=%u c=%d d=%llu e=%s f=%d g=%ld h=%d", a, b, c, d, e, f, g, h);
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
	seen.ip = ip;
	for (i = 0; i < marker->nr_args; i++)
		seen.args[i] = args[i];
}

/* Return the first marker of an event of this suite. */
static struct marker *find(const char *name)
{
	struct marker_event *event;

	mutex_lock(&event_mutex);
	event = marker_event_find(name);
	mutex_unlock(&event_mutex);
	return event ? event->markers : NULL;
}

static void test_arguments(struct kunit *test)
{
	struct marker *marker = find(MARKER_SYSTEM ":kunit_types");

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
	struct marker *marker = find(MARKER_SYSTEM ":kunit_none");

	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	fire_none();
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	fire_none();
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
}

/* A probe that is registered at one marker of an event is at all of them. */
static void test_same_event(struct kunit *test)
{
	struct marker *marker = find(MARKER_SYSTEM ":kunit_event");

	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	KUNIT_EXPECT_NE(test, marker_probe_register(marker, look, NULL), 0);
	fire(1, NULL);
	fire_again(2, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
	KUNIT_EXPECT_EQ(test, seen.args[0], 2);
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	fire(1, NULL);
	fire_again(2, NULL);
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
}

static void test_ip(struct kunit *test)
{
	struct marker *marker = find(MARKER_SYSTEM ":kunit_event");
	unsigned long size, offset;

	KUNIT_ASSERT_NOT_NULL(test, marker);
	KUNIT_ASSERT_EQ(test, marker_probe_register(marker, look, NULL), 0);
	fire(1, NULL);
	KUNIT_EXPECT_EQ(test, marker_probe_unregister(marker, look, NULL), 0);
	KUNIT_ASSERT_TRUE(test, kallsyms_lookup_size_offset(seen.ip, &size, &offset));
	KUNIT_EXPECT_EQ(test, seen.ip - offset,
			(unsigned long)dereference_function_descriptor(fire));
}

/* Types of arguments, four bits each, as MARK() has them. */
#define TYPES(a, b, c)		((a) | (u64)(b) << 4 | (u64)(c) << 8)

/* What an event is made of a format. */
static const struct {
	const char *format;
	u64 types;
	u8 nr_args;
	const char *fields;	/* "TYPE NAME; " for each */
	const char *print_fmt;
} formats[] = {
	{ "none", 0, 0, "", "\"none\"" },
	{ "a=%d b=%s", TYPES(MARKER_S32, MARKER_STR, 0), 2, "int a; __data_loc char[] b; ",
	  "\"a=%d b=%s\", REC->a, __get_str(b)" },
	/* The name of the second field begins behind the first. */
	{ "a=%db=%d", TYPES(MARKER_S32, MARKER_S32, 0), 2, "int a; int b; ",
	  "\"a=%db=%d\", REC->a, REC->b" },
	/* A field without a name gets a name that no other has. */
	{ "arg1=%d %d", TYPES(MARKER_S32, MARKER_S32, 0), 2, "int arg1; int arg2; ",
	  "\"arg1=%d %d\", REC->arg1, REC->arg2" },
	{ "common_pid=%d", TYPES(MARKER_S32, 0, 0), 1, "int arg0; ",
	  "\"common_pid=%d\", REC->arg0" },
	/* Nor does it get the name of a keyword of C, which no structure can have. */
	{ "default=%d", TYPES(MARKER_S32, 0, 0), 1, "int arg0; ",
	  "\"default=%d\", REC->arg0" },
	{ "100%% n=%hhu", TYPES(MARKER_U8, 0, 0), 1, "unsigned char n; ",
	  "\"100%% n=%hhu\", REC->n" },
	{ "mac=%pM ip=%pI4 f=%ps", TYPES(MARKER_PTR, MARKER_PTR, MARKER_PTR), 3,
	  "unsigned char[6] mac; unsigned char[4] ip; void * f; ",
	  "\"mac=%pM ip=%pI4 f=%ps\", REC->mac, REC->ip, REC->f" },
	/* With another argument, or for what a pointer leads to, the text of printk(). */
	{ "w=%*d", TYPES(MARKER_S32, MARKER_S32, 0), 2, "__data_loc char[] w; ",
	  "\"w=%s\", __get_str(w)" },
	{ "name=%.*s", TYPES(MARKER_S32, MARKER_PTR, 0), 2, "__data_loc char[] name; ",
	  "\"name=%s\", __get_str(name)" },
	{ "bytes=%*ph", TYPES(MARKER_S32, MARKER_PTR, 0), 2, "__data_loc char[] bytes; ",
	  "\"bytes=%s\", __get_str(bytes)" },
	{ "at=%pB to=%pISpc", TYPES(MARKER_PTR, MARKER_PTR, 0), 2,
	  "__data_loc char[] at; __data_loc char[] to; ",
	  "\"at=%s to=%s\", __get_str(at), __get_str(to)" },
	/* The compiler refuses these. */
	{ "%d", 0, 0, NULL },
	{ "none", TYPES(MARKER_S32, 0, 0), 1, NULL },
	{ "%d", TYPES(MARKER_STR, 0, 0), 1, NULL },
	{ "%*d", TYPES(MARKER_S32, 0, 0), 1, NULL },
};

static void test_format(struct kunit *test, unsigned int i)
{
	struct marker marker = {
		.tp.name = "kunit:format", .format = formats[i].format, .file = "file",
		.types = formats[i].types, .nr_args = formats[i].nr_args,
	};
	struct marker_event *event;
	char *fields, *print_fmt;
	unsigned int n, len = 0;
	int ret;

	event = kunit_kzalloc(test, struct_size(event, field, MARKER_ARGS_MAX), GFP_KERNEL);
	fields = kunit_kzalloc(test, 256, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_ASSERT_NOT_NULL(test, fields);
	ret = marker_parse(event, &marker);
	KUNIT_EXPECT_EQ_MSG(test, ret, formats[i].fields ? 0 : -EINVAL, "\"%s\"", marker.format);
	if (!ret) {
		for (n = 0; n < event->nr_fields; n++)
			len += scnprintf(fields + len, 256 - len, "%s %s; ",
					 event->field[n].c_type, event->field[n].name);
		print_fmt = marker_print_fmt(event, &marker);
		KUNIT_EXPECT_STREQ(test, fields, formats[i].fields);
		KUNIT_EXPECT_STREQ(test, print_fmt, formats[i].print_fmt);
		kfree(print_fmt);
	}
	kfree(event->text);
}

static void test_formats(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		test_format(test, i);
}

/* A text with a precision need not have an end. */
static void test_texts(struct kunit *test)
{
	static const char four[4] = { 'f', 'o', 'u', 'r' };
	const u64 args[] = { 4, (unsigned long)four, 3, (unsigned long)&"cut" };
	struct marker_field cut = { .kind = MARKER_FIELD_TEXT, .stars = 1, .is_cut = true };
	struct marker_field padded = {
		.kind = MARKER_FIELD_RENDERED, .arg = 0, .stars = 1, .vararg = sizeof(int),
		.conversion = "%*d",
	};
	const u64 numbers[] = { 5, (u32)-7 };
	char text[16];

	KUNIT_EXPECT_EQ(test, marker_copy_text(text, &cut, args, marker_text_limit(&cut, args)), 5);
	KUNIT_EXPECT_STREQ(test, text, "four");
	cut.arg = 2;
	KUNIT_EXPECT_EQ(test, marker_copy_text(text, &cut, args, marker_text_limit(&cut, args)), 4);
	KUNIT_EXPECT_STREQ(test, text, "cut");
	KUNIT_EXPECT_EQ(test, marker_copy_text(text, &padded, numbers, sizeof(text)), 6);
	KUNIT_EXPECT_STREQ(test, text, "   -7");
	KUNIT_EXPECT_EQ(test, marker_copy_string(text, NULL, sizeof(text)), 7);
	KUNIT_EXPECT_STREQ(test, text, "(null)");
	KUNIT_EXPECT_EQ(test, marker_copy_string(text, (char *)-4096L, sizeof(text)), 9);
	KUNIT_EXPECT_STREQ(test, text, "(efault)");
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
	struct marker *marker = find(MARKER_SYSTEM ":kunit_smp");
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
	KUNIT_CASE(test_same_event),
	KUNIT_CASE(test_ip),
	KUNIT_CASE(test_formats),
	KUNIT_CASE(test_texts),
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
