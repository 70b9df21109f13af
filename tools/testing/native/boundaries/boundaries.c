// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ends of what the core of markers.ko accepts, compiled for a program: the least and
 * the largest value, the longest text, the entry behind the last, the bytes of another.
 * Prints TAP.
 */
#include <err.h>
#include "boundaries.h"
#include "command.h"
#include "connect.h"
#include "connection.h"
#include "context.h"
#include "marker_probe.h"
#include "requests.h"
#include "rounds.h"
#include "text.h"

extern struct marker_site __marker_sites[], __marker_sites_end[];
extern struct marker_gate __marker_gates[], __marker_gates_end[];
extern struct marker_call __marker_calls[], __marker_calls_end[];
extern const struct marker_abi __marker_abi[], __marker_abi_end[];

static struct module self = { .name = "self" };
static unsigned int number, failed, events, spent;

void check(bool good, const char *what, const char *detail)
{
	printf("%sok %u - %s%s%s\n", good ? "" : "not ", ++number, what, *detail ? ": " : "",
	       detail);
	failed += !good;
}

static void notrace count(MARKER_PARAMS)
{
	events++;
}

static struct marker_probe probe = { .name = "count", .func = count, .leaf = true };
static struct marker_probe other = { .name = "other", .func = count, .leaf = true };

static void notrace come_back(MARKER_PARAMS)
{
	/* As often as is enough to see it, not until the stack is full. */
	if (++events < 100)
		boundaries_fire(1);
}

static struct marker_probe nested = { .name = "nested", .func = come_back };

static void note_spent(void)
{
	spent++;
}

static int load(void)
{
	const struct marker_bounds bounds = {
		__marker_sites, __marker_sites_end, __marker_gates, __marker_gates_end,
		__marker_calls, __marker_calls_end, __marker_abi, __marker_abi_end,
	};
	int ret;

	mutex_lock(&marker_mutex);
	ret = marker_registry_add_table(&self, &bounds, false);
	mutex_unlock(&marker_mutex);
	return ret;
}

static void unload(void)
{
	struct marker_table *table = marker_registry_find_table(&self);

	mutex_lock(&marker_mutex);
	marker_disconnect_table(table);
	marker_registry_del_table(table, true);
	mutex_unlock(&marker_mutex);
}

/* The only site of a marker. */
static struct marker_site_state *site_of(const char *name)
{
	struct marker_selector selector = { };
	struct marker_site_state *site;

	marker_selector_parse(&selector, name);
	mutex_lock(&marker_mutex);
	site = marker_selector_next(&selector, NULL, NULL);
	mutex_unlock(&marker_mutex);
	return site;
}

static void check_text(void)
{
	static const u8 built[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	u8 *to = NULL, *code = site_of("edge_pun")->gates[0].code;

	check(code[0] == built[0] && memcmp(code, built, sizeof(built)),
	      "a pun gate is rewritten", "");
	unload();
	check(!memcmp(code, built, sizeof(built)),
	      "text is as it was built when a module goes", "");
	marker_text_write_twice = true;
	load();
	check(marker_patch_trap(code, &to) == PATCH_JUMP && to == code + 5,
	      "a CPU in a module that comes late executes on behind its gate", "");
	marker_text_write_twice = false;
}

static void check_pads(void)
{
	unsigned int i, before, used, bytes;

	marker_pad_usage(&before, &bytes);
	check(before == 1, "a pun gate has a pad", "");
	for (i = 0; i < 100; i++) {
		unload();
		if (load())
			break;
	}
	marker_pad_usage(&used, &bytes);
	check(i == 100 && used == before, "pads are free again when a module goes", "");
}

static unsigned int preempt_depth;

bool __real_marker_nesting_enter(void);
bool __wrap_marker_nesting_enter(void);
void __real_marker_nesting_leave(void);
void __wrap_marker_nesting_leave(void);
unsigned long __real_marker_context_read(enum marker_context which);
unsigned long __wrap_marker_context_read(enum marker_context which);

/* As in the kernel, where preemption is disabled from enter to leave. */
bool __wrap_marker_nesting_enter(void)
{
	bool enters = __real_marker_nesting_enter();

	preempt_depth += enters;
	return enters;
}

void __wrap_marker_nesting_leave(void)
{
	preempt_depth--;
	__real_marker_nesting_leave();
}

unsigned long __wrap_marker_context_read(enum marker_context which)
{
	return which == MARKER_CONTEXT_PREEMPT ? preempt_depth : __real_marker_context_read(which);
}

/* Execute @commands, and count the probe calls of two events of each site. */
static unsigned int fired(const char *commands)
{
	int ret = marker_command_execute(commands);

	events = 0;
	if (ret)
		printf("# %s: %s\n", commands, strerror(-ret));
	boundaries_fire(2);
	return ret ? 1000 : events;
}

static void check_limits(void)
{
	marker_guard_spent = note_spent;
	marker_command_execute("connect edge_nop count first=3");
	events = 0;
	boundaries_fire(2);
	check(events == 2 && !spent, "below a limit", "");
	boundaries_fire(1);
	check(events == 3 && spent == 1, "at a limit", "");
	boundaries_fire(2);
	check(events == 3 && spent == 1, "beyond a limit", "");
	check(marker_command_execute("connect edge_pun count first=0") == -EINVAL, "first=0", "");
	check(!marker_command_execute("connect edge_nop count first=4"),
	      "another limit is another connection", "");
	check(marker_command_execute("connect edge_nop count first=4") == -EEXIST,
	      "the same limit is the same", "");
	check(fired("disconnect edge_nop") == 0, "a connection with a limit is disconnected", "");
}

static unsigned long refused(void)
{
	struct marker_connection *conn;
	unsigned long n = 0;

	list_for_each_entry(conn, &marker_connections, list)
		n += atomic_long_read(&conn->guard.nested);
	return n;
}

static void check_nesting(void)
{
	marker_probe_register(&nested);
	check(fired("connect edge_nop nested") == 2 && refused() == 2,
	      "a probe that comes back to its site", "");
	check(fired("connect edge_nop count") == 6 && refused() == 4,
	      "a leaf is called within another probe", "");
	fired("disconnect edge_nop");
	check(fired("connect edge_nop nested first=3 if arg0>0") == 2 && refused() == 2 &&
	      fired("connect edge_pun nested") == 3 && refused() == 8,
	      "what is refused is below no limit", "");
	check(fired("disconnect * nested") == 0, "it is disconnected", "");
	/* A probe that is no leaf disables preemption itself: no context of the event. */
	check(fired("connect edge_nop nested if $preempt==0") == 2 && !refused(),
	      "the context is that of the event, before a probe that is no leaf", "");
	check(fired("disconnect *; connect edge_nop nested first=3 if $preempt==1") == 0,
	      "not that of the probe", "");
	check(fired("disconnect *; connect edge_nop nested first=3 if $preempt<1 && arg0==2") == 2,
	      "also below a limit", "");
	check(fired("") == 1, "up to that", "");
	fired("disconnect *");
	marker_probe_unregister(&nested);
}

static void check_commands(void)
{
	check(fired("connect edge_* count") == 8, "four sites, two events of each", "");
	check(marker_command_execute("connect edge_nop count") == -EEXIST,
	      "the same probe again", "");
	check(fired("connect edge_nop count if arg0==2") == 10, "the same with a condition", "");
	check(marker_dispatch_last.patch.rounds > 1, "a call that CPUs execute gets an int3", "");
	check(marker_command_execute("disconnect edge_nop other") == -ENOENT, "another probe", "");
	check(fired("disconnect edge_nop count; connect edge_nop other") == 10,
	      "one for another", "");
	check(marker_command_execute("connect edge_imm other\nconnect nothing other") == -ENOENT,
	      "one of two commands fails", "");
	check(fired("") == 10, "then none is done", "");
	check(fired("# connect edge_imm other") == 10, "a comment", "");
	check(marker_command_execute("connect edge_imm") == -EINVAL,
	      "a command without a probe", "");
	check(marker_command_execute("disconnect id:99") == -ENOENT,
	      "no connection of that number", "");
	check(fired("disconnect edge_* count") == 2, "those of one probe are disconnected", "");
	check(fired("disconnect *") == 0, "all are disconnected", "");
	check(fired("connect field_* count if len == 1") == 4, "a field that is elsewhere at each site", "");
	check(fired("disconnect *; connect field_* count if width == 1") == 0, "another value of it", "");
	check(fired("disconnect *; connect field_* count if len == 1 && arg0 == 1") == 2,
	      "an argument by its number is the same at each site", "");
	check(marker_command_execute("connect * other if len == 1") == -EINVAL,
	      "a field that not all sites have", "");
	check(fired("disconnect *") == 0, "none of these is left", "");
	check(marker_command_execute("disconnect *") == -ENOENT, "nothing is left", "");
	check(!marker_command_execute("arm none count; arm none other; arm none count first=1; arm a/none count"),
	      "connections without a site", "");
	check(marker_command_execute("arm none count") == -EEXIST, "one of them again", "");
	check(!marker_command_execute("disconnect none count; arm none count"),
	      "one of them again, in the transaction that ends it", "");
	check(!marker_command_execute("disconnect none") && list_empty(&marker_connections),
	      "they are disconnected", "");
}

static void check_numbers(void)
{
	const struct marker_connection *conn;
	char command[64];
	unsigned int id;

	marker_command_execute("connect edge_nop count; connect edge_nop other; connect edge_pun count");
	conn = list_first_entry(&marker_connections, struct marker_connection, list);
	id = conn->id;
	sprintf(command, "disconnect id:%u other", id);
	check(marker_command_execute(command) == -ENOENT, "a number with another probe", "");
	sprintf(command, "disconnect id:%u", id);
	check(fired(command) == 4 && marker_command_execute(command) == -ENOENT,
	      "a connection is disconnected by its number, once", "");
	sprintf(command, "disconnect id:%u other", id + 1);
	check(fired(command) == 2, "by its number and its probe", "");
	check(fired("disconnect *") == 0, "the last one goes", "");
}

/* Tens of events in one function, ones in the other; 1000: the commands are refused. */
static unsigned int copies_fired(const char *commands)
{
	unsigned int one;

	if (fired(commands) == 1000)
		return 1000;
	events = 0;
	boundaries_one();
	one = events;
	boundaries_two();
	return 10 * one + events - one;
}

static void check_functions(void)
{
	check(copies_fired("connect copied_nop count") == 12, "all copies of a site", "");
	check(marker_command_execute("connect copied_nop@boundaries_one other") == -EEXIST,
	      "fewer copies for another probe", "");
	check(marker_command_execute("disconnect *; connect copied_nop@boundaries_one count") == -EEXIST,
	      "fewer copies in the transaction that takes all away", "");
	check(copies_fired("disconnect *") == 0, "none of the copies", "");
	check(copies_fired("connect copied_nop@boundaries_one count") == 10,
	      "the copy in one function", "");
	check(marker_command_execute("connect copied_nop@boundaries_two other") == -EEXIST,
	      "copies in another function besides", "");
	check(marker_command_execute("connect copied_nop other") == -EEXIST,
	      "all copies besides", "");
	check(copies_fired("connect copied_nop@boundaries_one other") == 20,
	      "another probe in the same function", "");
	check(copies_fired("disconnect copied_nop@boundaries_one count") == 10,
	      "that probe is left", "");
	check(copies_fired("disconnect *") == 0, "none of the copies again", "");
	check(copies_fired("arm copied_nop@boundaries_two count; arm edge_nop count") == 2,
	      "the two copies in another function", "");
	unload();
	load();
	mutex_lock(&marker_mutex);
	marker_connect_table(marker_registry_find_table(&self));
	mutex_unlock(&marker_mutex);
	check(copies_fired("") == 2 && fired("") == 2, "the same when the module comes again", "");
	check(copies_fired("disconnect *; connect edge_nop@boundaries_fire count; connect edge_nop other") == 0,
	      "a function that has all copies besides all copies", "");
	check(copies_fired("disconnect *") == 0, "none is left", "");
	check(marker_command_execute("connect copied_flag@boundaries_one count") == -EOPNOTSUPP,
	      "copies that share a flag", "");
	check(marker_command_execute("connect copied_nop@boundaries count") == -ENOENT,
	      "the beginning of a function's name", "");
	check(marker_command_execute("connect copied_no@boundaries_one count") == -ENOENT,
	      "the beginning of a marker's name", "");
	check(marker_command_execute("connect copied_nop@boundaries_fire count") == -ENOENT,
	      "a function without a copy", "");
}

/* As many probes as a site may have, and one more. */
static void check_hooks(void)
{
	char command[64];
	unsigned int i;

	for (i = 0; i < MARKER_HOOKS_MAX; i++) {
		sprintf(command, "connect edge_nop count if arg0!=%u", 10 + i);
		check(fired(command) == 2 * (i + 1), "probes of one site", command);
	}
	check(marker_command_execute("connect edge_nop count") == -ENOSPC, "a probe too many", "");
	check(fired("") == 2 * MARKER_HOOKS_MAX, "the others stay", "");
	check(fired("disconnect *") == 0, "all of them go", "");
}

/* A CPU that was between link and call while they were changed. */
static void check_dispatcher(void)
{
	const struct marker_link link = { .func = count };

	events = 0;
	marker_dispatch(NULL, NULL, 0, 0, 0, 0);
	check(!events, "the dispatcher takes no link", "");
	marker_dispatch(&link, NULL, 0, 0, 0, 0);
	check(events == 1, "the dispatcher takes the link of a single probe", "");
}

/* Byte @place of what is at @code is another's: then the site cannot be connected. */
static void check_foreign(u8 *code, unsigned int place, const char *what)
{
	struct marker_site_state *site = site_of("edge_nop");
	u8 was = code[place];

	boundaries_write_byte(code + place, was ^ 0x55);
	check(marker_command_execute("connect edge_nop count") == -EBUSY, "foreign", what);
	check(code[place] == (was ^ 0x55), "what is foreign stays", what);
	check(!site->entry->link, "no link is left", what);
	check(!site->gates[0].open && site->calls[0].to == site->calls[0].none,
	      "what was refused is not noted as done", what);
	boundaries_write_byte(code + place, was);
	check(fired("connect edge_nop count") == 2, "its own bytes again", what);
	check(fired("disconnect edge_nop") == 0, "and closed", what);
}

static void check_foreign_bytes(void)
{
	struct marker_site_state *site = site_of("edge_nop");

	check_patches(site->gates[0].code);
	check_foreign(site->gates[0].code, 0, "the first byte of a gate");
	check_foreign(site->gates[0].code, 4, "the last byte of a gate");
	check_foreign(site->calls[0].code, 1, "a call");
	check_foreign(site->calls[0].code, 4, "the last byte of a call");
}

/* A site that cannot change with the others keeps what it had, and follows later. */
static void check_left_behind(void)
{
	u8 *call = site_of("edge_nop")->calls[0].code, was;

	check(fired("connect edge_nop count") == 2, "a probe of one site", "");
	was = call[4];
	boundaries_write_byte(call + 4, was ^ 0x55);
	check(!marker_command_execute("connect edge_* other"),
	      "another of all, one call is foreign", "");
	check(site_of("edge_nop")->set->nhooks == 1, "that site has the first probe only", "");
	boundaries_write_byte(call + 4, was);
	check(fired("") == 10, "with its own bytes it gets the other, too", "");
	check(fired("disconnect *") == 0, "none is left", "");
}

int main(void)
{
	if (marker_trap_init() || marker_registry_init())
		errx(2, "the program's text cannot be patched");
	if (marker_probe_register(&probe) || marker_probe_register(&other))
		errx(2, "the probes cannot be registered");
	check_filters();
	check_prints();
	check_gates();
	check_tables();
	check_wild_tables();
	check_many();
	check_selectors();
	check_refused_site();
	check(!load(), "the sites of the program", "");
	check_pads();
	check_text();
	check_commands();
	check_numbers();
	check_forms(fired);
	check_functions();
	check_hooks();
	check_dispatcher();
	check_limits();
	check_nesting();
	check_probes(&probe);
	check_foreign_bytes();
	check_left_behind();
	check_waits();
	unload();
	check(!request_allocated, "nothing is left allocated", "");
	printf("1..%u\n", number);
	return failed > 0;
}
