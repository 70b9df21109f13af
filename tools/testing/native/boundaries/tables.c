// SPDX-License-Identifier: GPL-2.0-only
/* Section tables made by hand, selectors over them, and the bytes of gates and calls. */
#include "boundaries.h"
#include "command.h"
#include "registry.h"
#include "selector.h"

#define SITES	3
#define TABLES	70	/* more than the registry has room for at first */

static struct module module = { .name = "hand" }, modules[TABLES];

static struct marker_site sites[SITES + 1] = {
	{ .name = "one", .format = "", .file = "a/same.c", .line = 10 },
	{ .name = "two", .format = "", .file = "b/same.c", .line = 10 },
	{ .name = "two", .format = "", .file = "b/notsame.c", .line = 11 },
};

static struct marker_gate gates[2];
static struct marker_call calls[1];
static struct marker_abi abi[2] = { MARKER_ABI, MARKER_ABI };

static struct marker_bounds bounds = {
	sites, sites + SITES, gates, gates, calls, calls, abi, abi + 2,
};

static void lead(s32 *offset, const void *to)
{
	*offset = (const u8 *)to - (const u8 *)offset;
}

static int add(struct module *mod)
{
	int ret;

	mutex_lock(&marker_mutex);
	ret = marker_registry_add_table(mod, &bounds, true);
	mutex_unlock(&marker_mutex);
	return ret;
}

static void del(struct module *mod)
{
	mutex_lock(&marker_mutex);
	marker_registry_del_table(marker_registry_find_table(mod), true);
	mutex_unlock(&marker_mutex);
}

/* A key's gate and a call of the site at @site. */
static int add_leading_to(const void *site, bool call)
{
	int ret;

	lead(&gates[0].site, site);
	lead(&gates[0].code, &module);
	lead(&calls[0].site, site);
	lead(&calls[0].code, &module);
	bounds.gates_end = gates + !call;
	bounds.calls_end = calls + call;
	ret = add(&module);
	bounds.gates_end = gates;
	bounds.calls_end = calls;
	if (!ret)
		del(&module);
	return ret;
}

static int add_with_version(unsigned int place, u16 version)
{
	int ret;

	abi[place].version = version;
	ret = add(&module);
	abi[place].version = MARKER_ABI_VERSION;
	if (!ret)
		del(&module);
	return ret;
}

static void check_refusals(void)
{
	bounds.abi_end = abi;
	check(add(&module) == -ENOEXEC, "a table without a version", "");
	bounds.abi_end = abi + 2;
	check(add_with_version(0, MARKER_ABI_VERSION + 1) == -ENOEXEC, "another version", "first");
	check(add_with_version(1, MARKER_ABI_VERSION + 1) == -ENOEXEC, "another version", "last");
	check(add_leading_to(sites + SITES, false) == -EINVAL,
	      "a gate of the entry behind the last", "");
	check(add_leading_to((u8 *)bounds.sites - sizeof(*sites), false) == -EINVAL,
	      "a gate of the entry before the first", "");
	check(add_leading_to((u8 *)sites + 1, false) == -EINVAL, "a gate of half an entry", "");
	check(add_leading_to(sites + SITES, true) == -EINVAL,
	      "a call of the entry behind the last", "");
}

static bool numbers_are(u32 first, unsigned int n)
{
	struct marker_site_state *site = NULL;
	u32 id;

	for (id = first; id < first + n; id++) {
		site = site ? marker_registry_site_after(site) : marker_registry_next_site(first);
		if (!site || site->id != id || marker_registry_find_site(id) != site)
			return false;
	}
	return !marker_registry_site_after(site) && !marker_registry_find_site(first + n);
}

static void check_numbers(void)
{
	struct marker_site_state *site;
	unsigned int i, failed = 0;
	u32 first;

	for (i = 0; i < TABLES; i++) {
		modules[i].name = "one of many";
		failed += add(&modules[i]) != 0;
	}
	check(!failed, "more tables than there is room for at first", "");
	check(add(&modules[0]) == -EEXIST, "a table twice", "");
	mutex_lock(&marker_mutex);
	first = marker_registry_next_site(0)->id;
	check(numbers_are(first, TABLES * SITES), "sites by number, in their order", "");
	check(marker_registry_next_marker("two", NULL)->nsites == 2 * TABLES, "sites of a marker", "");
	mutex_unlock(&marker_mutex);
	del(&modules[1]);
	mutex_lock(&marker_mutex);
	check(!marker_registry_find_site(first + SITES) && !marker_registry_find_site(first + 2 * SITES - 1),
	      "what has gone has no number", "");
	site = marker_registry_next_site(first + SITES);
	check(site && site->id == first + 2 * SITES, "the next number behind a gap", "");
	mutex_unlock(&marker_mutex);
	for (i = 0; i < TABLES; i++)
		if (i != 1)
			del(&modules[i]);
	mutex_lock(&marker_mutex);
	check(!marker_registry_next_site(0) && !marker_registry_next_marker("two", NULL),
	      "all have gone", "");
	mutex_unlock(&marker_mutex);
}

void check_tables(void)
{
	check_refusals();
	check_numbers();
}

/* How many sites of the table a selector and the marker @also have; -1: it is none. */
static int picked_with(const char *text, const char *also)
{
	struct marker_selector selector = { };
	struct marker_site_state *site = NULL;
	int n = 0;

	if (marker_selector_parse(&selector, text))
		return -1;
	selector.also = also;
	while ((site = marker_selector_next(&selector, NULL, site)))
		n += marker_selector_matches(&selector, site);
	return n;
}

static int picked(const char *text)
{
	return picked_with(text, NULL);
}

/* Markers of one name in two systems, and commands that select them. */
static void check_systems(void)
{
	static const struct {
		const char *text, *also;
		int expected;
	} cases[] = {
		{ "one", NULL, 2 }, { "a/one", NULL, 1 }, { "b/one", NULL, 1 }, { "c/one", NULL, 0 },
		{ "two", NULL, 1 }, { "a/two", NULL, 0 }, { "ne", NULL, 0 }, { "/one", NULL, 0 }, { "a/", NULL, 0 },
		{ "a", NULL, 0 }, { "*", NULL, 3 }, { "o*", NULL, 2 }, { "a*", NULL, 0 }, { "a/*", NULL, 1 },
		{ "*/one", NULL, 2 }, { "?/t*", NULL, 1 }, { "[ab]/o?e", NULL, 2 }, { "one@no_such", NULL, 0 },
		{ "one", "two", 3 }, { "a/one", "two", 2 }, { "a/one", "one", 2 }, { "two", "b/one", 2 },
		{ "a/one", "b/two", 2 }, { "one", "a/one", 2 }, { "none", "one", 2 }, { "a/*", "b/one", 2 },
	};
	unsigned int i;

	sites[0].name = "a/one";
	sites[1].name = "b/two";
	sites[2].name = "b/one";
	check(!add(&module), "systems", "");
	mutex_lock(&marker_mutex);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		check(picked_with(cases[i].text, cases[i].also) == cases[i].expected, "systems", cases[i].text);
	mutex_unlock(&marker_mutex);
	check(!marker_command_execute("connect one count; disconnect one"), "by a name", "");
	check(marker_command_execute("connect one count; disconnect a/one") == -ENOENT, "one name", "");
	check(!marker_command_execute("connect a/one count; connect b/one count; disconnect one") &&
	      marker_command_execute("disconnect *") == -ENOENT, "a name ends all of them", "");
	check(!marker_command_execute("connect a/one count; connect b/two count; disconnect o*") &&
	      marker_command_execute("disconnect one") == -ENOENT &&
	      !marker_command_execute("disconnect b/*"), "so does a glob", "");
	check(!marker_command_execute("arm a/x.c:1 count") &&
	      marker_command_execute("disconnect x.c:1") == -ENOENT &&
	      !marker_command_execute("disconnect a/x.c:1"), "a folder is no system", "");
	del(&module);
	sites[0].name = "one";
	sites[1].name = "two";
	sites[2].name = "two";
}

void check_selectors(void)
{
	static const struct {
		const char *text;
		int expected;
	} cases[] = {
		{ "one", 1 }, { "two", 2 }, { "tw", 0 }, { "t*", 2 }, { "?ne", 1 }, { "[ot]*", 3 }, { "[ot]ne", 1 },
		{ "module:hand", 3 }, { "module:han", 0 }, { "module:h*", 3 }, { "module:", -1 },
		{ "a/same.c:10", 1 }, { "same.c:10", 2 }, { "same.c:11", 0 }, { "notsame.c:11", 1 },
		{ "ame.c:10", 0 }, { "/same.c:10", 0 }, { "b/same.c:10", 1 }, { "b/b/same.c:10", 0 },
		{ ":10", -1 }, { "same.c:", -1 }, { "same.c:x", -1 }, { "same.c:-1", -1 }, { "", -1 },
		{ "site:x", -1 }, { "site:99999", 0 },
		{ "one@", -1 }, { "@f", -1 }, { "one@f@g", -1 }, { "o*@f", -1 }, { "one@f*", -1 },
		{ "one@no_such", 0 }, { "one@f:10", 0 },
	};
	char text[24];
	unsigned int i;
	u32 first;

	check(!add(&module), "the table", "");
	mutex_lock(&marker_mutex);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		check(picked(cases[i].text) == cases[i].expected, "selector", cases[i].text);
	first = marker_registry_next_site(0)->id;
	sprintf(text, "site:%u", first + SITES - 1);
	check(picked(text) == 1, "the last site by its number", "");
	sprintf(text, "site:%u", first + SITES);
	check(!picked(text), "the number behind the last", "");
	mutex_unlock(&marker_mutex);
	del(&module);
	check_systems();
}

/* A site of a kind that is not registered: it has a gate and a call, which are no text. */
void check_refused_site(void)
{
	struct marker_gate_ops rows[] = {
		{ "late", MARKER_GATE_OTHERS_LAST, MARKER_GATE_OTHERS_LAST }, { },
	};
	const struct marker_table *table;

	sites[0].kind = MARKER_GATE_OTHERS_LAST;
	lead(&gates[0].site, sites);
	lead(&gates[0].code, &module);
	lead(&calls[0].site, sites);
	lead(&calls[0].code, &module);
	bounds.gates_end = gates + 1;
	bounds.calls_end = calls + 1;
	check(!add(&module), "a table with a kind that is not registered", "");
	bounds.gates_end = gates;
	bounds.calls_end = calls;
	mutex_lock(&marker_mutex);
	table = marker_registry_find_table(&module);
	check(table->sites[0].refused && !table->sites[1].refused && !table->sites[2].refused,
	      "its site is refused alone", "");
	check(!table->ngates && !table->ncalls, "its gate and its call are not looked at", "");
	check(picked("one") == 0 && picked("two") == 2 && picked("module:hand") == 2,
	      "selectors pick the other sites", "");
	mutex_unlock(&marker_mutex);
	check(marker_command_execute("connect one count") == -EOPNOTSUPP,
	      "it cannot be connected", "");
	check(!marker_command_execute("connect module:hand count") && sites[1].on && !sites[0].on,
	      "the others can", "");
	check(!marker_command_execute("disconnect *; arm one count; disconnect *"),
	      "it can be armed", "");
	check(!marker_gates_register(rows) && !marker_gates_unregister(rows),
	      "it does not use a row that comes later", "");
	del(&module);
	sites[0].kind = MARKER_GATE_GENERIC;
}

static bool encodes(const struct marker_gate_state *gate, bool open, const char *expected,
		    unsigned int len)
{
	u8 bytes[MARKER_GATE_CODE_MAX] = { };

	return marker_gate_encode(gate, open, bytes) == len && !memcmp(bytes, expected, len);
}

static void check_recognition(struct marker_gate_state *gate)
{
	u8 bytes[MARKER_GATE_CODE_MAX] = { 0x0f, 0x1f, 0x44 };
	bool open = true;

	gate->built = MARKER_GATE_NOP5;
	gate->kind = MARKER_GATE_NOP5;
	check(marker_gate_recognise(gate, bytes, &open) && !open,
	      "a closed gate is recognised", "");
	marker_gate_encode(gate, true, bytes);
	check(marker_gate_recognise(gate, bytes, &open) && open, "an open gate is recognised", "");
	bytes[4]++;
	check(!marker_gate_recognise(gate, bytes, &open), "a gate whose last byte is another", "");
	memcpy(bytes, "\x0f\x1f\x4c\x11\x22", 5);
	check(marker_gate_recognise(gate, bytes, &open) && !open,
	      "a pun gate of another markers.ko", "");
	bytes[1] = 0x0b;
	check(!marker_gate_recognise(gate, bytes, &open), "an instruction that is no long NOP", "");
}

static unsigned int encode_nothing(const struct marker_gate_state *gate, bool open, u8 *bytes)
{
	return 0;
}

/* Register two rows, of which the second has @kind. */
static int add_rows(u8 kind, u8 flags)
{
	const struct marker_gate_ops rows[] = {
		{ "first", MARKER_GATE_OTHERS, MARKER_GATE_OTHERS, MARKER_GATE_F_CODE, encode_nothing },
		{ "second", kind, MARKER_GATE_NOP5, flags, encode_nothing },
		{ },
	};
	const struct marker_gate_ops *bad;
	int ret = marker_gate_ops_add(rows, &bad);

	if (!ret)
		marker_gate_ops_remove(rows);
	return ret;
}

/* Register one row. */
static int add_row(const char *name, u8 kind)
{
	const struct marker_gate_ops rows[] = {
		{ name, kind, kind, MARKER_GATE_F_CODE, encode_nothing }, { },
	};
	const struct marker_gate_ops *bad;
	int ret = marker_gate_ops_add(rows, &bad);

	if (!ret)
		marker_gate_ops_remove(rows);
	return ret;
}

static void check_taken(void)
{
	static const struct marker_gate_ops rows[] = {
		{ "taken", MARKER_GATE_OTHERS, MARKER_GATE_OTHERS, MARKER_GATE_F_CODE, encode_nothing },
		{ },
	};
	const struct marker_gate_ops *bad;
	bool known = !marker_gate_ops_add(rows, &bad);

	check(known && !marker_gate_ops_add(rows, &bad), "the same rows again", "");
	check(add_row("other", MARKER_GATE_OTHERS) == -EEXIST, "a kind that others have", "");
	check(add_row("taken", MARKER_GATE_OTHERS + 1) == -EEXIST, "a name that others have", "");
	check(add_row("nop5", MARKER_GATE_OTHERS + 1) == -EEXIST, "a name of the core", "");
	check(!add_row("other", MARKER_GATE_OTHERS + 1), "another kind and name", "");
	marker_gate_ops_remove(rows);
	check(!add_row("taken", MARKER_GATE_OTHERS), "kind and name are free again", "");
}

static bool leads_to_what_it_calls(void)
{
	static const struct marker_gate_ops rows[] = {
		{ "called", MARKER_GATE_OTHERS, MARKER_GATE_OTHERS,
		  MARKER_GATE_F_CODE | MARKER_GATE_F_CALL, encode_nothing },
		{ },
	};
	struct marker_gate_state gate = { .kind = MARKER_GATE_OTHERS, .to = (u8 *)&module };
	const struct marker_gate_ops *bad;
	bool good;

	good = !marker_gate_ops_add(rows, &bad) && marker_gate_next(&gate, true) == gate.to;
	marker_gate_ops_remove(rows);
	return good;
}

static void check_rows(void)
{
	const u8 code = MARKER_GATE_F_CODE;

	check(leads_to_what_it_calls(), "an open gate that is a call leads to what it calls", "");
	check(!add_rows(MARKER_GATE_OTHERS_LAST, code), "rows of the first and the last kind", "");
	check(!marker_gate_ops(MARKER_GATE_OTHERS), "they are gone again", "first");
	check(!marker_gate_ops(MARKER_GATE_OTHERS_LAST), "they are gone again", "last");
	check(add_rows(MARKER_GATE_OTHERS - 1, code) == -EINVAL, "a kind of the core", "");
	check(add_rows(MARKER_GATE_OTHERS_LAST + 1, code) == -EINVAL,
	      "the kind behind the last", "");
	check(add_rows(MARKER_GATE_OTHERS, code) == -EEXIST, "a kind twice", "");
	check(add_rows(MARKER_GATE_OTHERS + 1, 0) == -EINVAL, "an encoder that is for no code", "");
	check_taken();
}

/* All pads that one gate can reach; the next gate's do not overlap them. */
static void check_pads_of_a_gate(void)
{
	static u8 code[8];
	u8 *pads[64], *other;
	unsigned int n = 0, i;
	u8 bytes[MARKER_GATE_CODE_MAX];
	unsigned int wrong = 0;

	other = marker_pad_alloc(code + 4);
	while (n < ARRAY_SIZE(pads) && (pads[n] = marker_pad_alloc(code)))
		n++;
	for (i = 0; i < n; i++) {
		struct marker_gate_state gate = { .code = code, .pad = pads[i], .kind = MARKER_GATE_PUN };

		marker_gate_encode(&gate, false, bytes);
		wrong += bytes[1] != 0x1f || (bytes[2] & 0xc7) != 0x44;
		wrong += labs(pads[i] - other) < 5;
		marker_pad_free(pads[i]);
	}
	marker_pad_free(other);
	check(n >= 15 && n < ARRAY_SIZE(pads), "pads of one gate, in each of eight places", "");
	check(!wrong, "each makes a NOP of the gate, and overlaps no other", "");
}

void check_gates(void)
{
	static u8 code[512] = { 0xb0, 0x00, 0x84, 0xc0, 0x75, 0x02 };
	struct marker_gate_state gate = { .code = code, .cold = code + 5 + 0x0102, .pad = code + 4 };
	u8 bytes[MARKER_GATE_CODE_MAX];

	gate.kind = MARKER_GATE_IMM;
	check(encodes(&gate, false, "\xb0\x00", 2) && encodes(&gate, true, "\xb0\x01", 2), "imm", "");
	check(marker_gate_next(&gate, false) == code + 6,
	      "behind an imm gate with a short jne", "");
	memcpy(code + 4, "\x0f\x85", 2);
	check(marker_gate_next(&gate, false) == code + 10,
	      "behind an imm gate with a long jne", "");
	check(marker_gate_next(&gate, true) == gate.cold,
	      "an open gate leads to its cold block", "");
	gate.kind = MARKER_GATE_NOP5;
	check(encodes(&gate, false, "\x0f\x1f\x44\x00\x00", 5), "nop5, closed", "");
	check(encodes(&gate, true, "\xe9\x02\x01\x00\x00", 5), "nop5, open", "");
	check(marker_gate_next(&gate, false) == code + 5, "behind a closed nop5", "");
	check_recognition(&gate);
	gate.kind = MARKER_GATE_FLIP;
	check(encodes(&gate, false, "\xa9\x02\x01\x00\x00", 5), "flip, closed", "");
	gate.kind = MARKER_GATE_PUN;
	check(encodes(&gate, false, "\x0f\xff\xff\xff\xff", 5), "pun, closed", "");
	check(encodes(&gate, true, "\xe9\xff\xff\xff\xff", 5), "pun, open", "");
	check(marker_gate_encode_call(code, code + 3, NULL, bytes) == 5 &&
	      !memcmp(bytes, "\xe8\xfe\xff\xff\xff", 5), "a call backward", "");
	memcpy(code, bytes, 5);
	check(marker_gate_decode_call(code) == code + 3, "where it leads", "");
	code[0] = 0xe9;
	check(!marker_gate_decode_call(code), "a jump is no call", "");
	check_rows();
	check_pads_of_a_gate();
}
