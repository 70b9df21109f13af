// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit suite of the markers: sites and a probe of its own, connected and
 * disconnected as debugfs would.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
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
