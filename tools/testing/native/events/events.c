// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace events of markers (probes/event) with the core of markers.ko in a program: the bytes
 * of each record for ftrace and perf, what is printed of it, and each refused request.
 */
#include <err.h>
#include "command.h"
#include "connect.h"
#include "events.h"
#include "event/event.h"
#include "fetch.h"
#include "gates/native.h"
#include "self.h"

extern struct marker_site __marker_sites[], __marker_sites_end[];

static unsigned int checks, failures;

void check(bool good, const char *format, ...)
{
	va_list args;

	failures += !good;
	printf("%sok %u - ", good ? "" : "not ", ++checks);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void (*events_on_text)(char *text);

unsigned int __real_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size);
unsigned int __wrap_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size);

unsigned int __wrap_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size)
{
	if (events_on_text)
		events_on_text((char *)words[arg->index]);
	return __real_marker_fetch_text(arg, words, to, size);
}

static struct {
	char name[32], text[256];	/* of the event, and as it is printed */
	unsigned int records, uncovered;
	u8 record[1024];		/* the last one */
	size_t size;
	const char *wrong;
} seen;

/* Mark the bytes of a field; a text has its place and its size in the field. */
static size_t cover(const struct trace_event_fields *field, size_t at, const u8 *record,
		    bool *covered, size_t size)
{
	u32 place;

	at = (at + field->align - 1) / field->align * field->align;
	if (at + field->size > size) {
		seen.wrong = "a field is behind the record";
		return at;
	}
	memset(covered + at, true, field->size);
	if (strstr(field->name, "arg_text") &&
	    strcmp((const char *)record + at, strchr(field->name, '0') ? "\\" : "\\# %\\"))
		seen.wrong = "another part of the text";
	if (strstr(field->type, "__data_loc")) {
		memcpy(&place, record + at, sizeof(place));
		if ((place & 0xffff) + (place >> 16) > size ||
		    record[(place & 0xffff) + (place >> 16) - 1])
			seen.wrong = "a text is not in the record";
		else
			memset(covered + (place & 0xffff), true,
			       strlen((const char *)record + (place & 0xffff)) + 1);
	}
	return at + field->size;
}

/* As the kernel does: by the number in the record. */
static void print(const u8 *record, size_t size)
{
	struct trace_event *event = events_of_number(((const struct trace_entry *)record)->type);
	struct trace_iterator iter = {
		.ent = (struct trace_entry *)record, .ent_size = size,
		.seq.seq = { seen.text, sizeof(seen.text), 0 },
	};

	if (event && event->funcs->trace(&iter, 0, event) != TRACE_TYPE_HANDLED)
		seen.wrong = "a record is not printed as a whole";
	seen.text[iter.seq.seq.len] = '\0';
}

void events_see(struct trace_event_call *call, const u8 *record, size_t size, bool perf)
{
	const struct trace_event_fields *field = call->kept;
	size_t at = sizeof(struct trace_entry);
	bool covered[1024] = { };

	memset(covered, true, at);
	for (; field->type; field++)
		at = cover(field, at, record, covered, size);
	for (at = 0; at < size; at++) {
		if (covered[at])
			continue;
		seen.uncovered++;
		if (record[at])
			seen.wrong = "bytes of an earlier record are between fields or behind them";
	}
	strscpy(seen.name, call->tp->name, sizeof(seen.name));
	print(record, size);
	memcpy(seen.record, record, size);
	seen.size = size;
	seen.records++;
}

/* The text that ftrace prints of event number @n of each marker. */
static void expect(const char *name, unsigned int n, char *to, size_t size)
{
	char text[] = "text of the event";
	u8 byte = n, second = n + 2, last = n + 4;
	u16 word = n + 2;

	text[n % 13] = '\0';
	to += scnprintf(to, size, "%s: ", name);
	if (!strcmp(name, "of_nothing"))
		sprintf(to, "nothing\n");
	else if (!strcmp(name, "of_byte"))
		sprintf(to, "%hhu\n", byte);
	else if (!strcmp(name, "of_word") || !strcmp(name, "of_long"))
		sprintf(to, "%u\n", n);
	else if (!strcmp(name, "of_gaps"))
		sprintf(to, "%hhu %u %hu %u %hhu\n", byte, n + 1, word, n + 3, last);
	else if (!strcmp(name, "of_pairs"))
		sprintf(to, "%u %hhu %u %u\n", n + 1, second, n + 3, n + 4);
	else if (!strcmp(name, "of_text"))
		sprintf(to, "%s %hhu\n", text, byte);
	else if (!strcmp(name, "of_texts"))
		sprintf(to, "%hhu %s %u %s\n", byte, text, n + 1, text);
	else if (!strcmp(name, "of_bytes"))
		sprintf(to, "n=%hhu mac=11 22 33 44 55 66 m=%u mac2=11 22 33\n", byte, n + 1);
	else if (!strcmp(name, "of_pointers"))
		sprintf(to, "a=%#x b=%#x.\n", n + 1, n + 2);
	else if (!strcmp(name, "of_signed"))
		sprintf(to, "a=%d b=%d c=%d d=%d e=%016lx\n", -n, -n, -n, -n, -(long)n);
	else
		sprintf(to, "a\\b%hhu c\\# %%\\d %u\n", byte, n + 1);
}

static const char *const names[] = {
	"of_nothing", "of_byte", "of_word", "of_long", "of_gaps", "of_pairs", "of_text",
	"of_texts", "of_bytes", "of_parts", "of_signed", "of_pointers",
};

static void shorten(char *text)
{
	static unsigned int reads;

	/* Each text is read twice: for its length, and to be copied. */
	if (++reads % 2 == 0 && strlen(text) > 3)
		text[2] = '\0';
}

static void check_records(bool perf, bool shortened)
{
	const char *const how = perf ? "perf" : "ftrace";
	struct trace_event_call *call;
	char expected[256];
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		call = events_find("markers", names[i]);
		if (!call || events_enable(call, perf)) {
			check(false, "%s is enabled for %s", names[i], how);
			continue;
		}
		memset(&seen, 0, sizeof(seen));
		events_on_text = shortened ? shorten : NULL;
		for (n = 20; n < 40; n++) {
			events_fire(n);
			expect(names[i], n, expected, sizeof(expected));
			if (!shortened && strcmp(expected, seen.text)) {
				printf("# expected: %s# found:    %s\n", expected, seen.text);
				seen.wrong = "another text is printed";
			}
		}
		events_on_text = NULL;
		check(!seen.wrong && seen.records == 20, "%s for %s%s: %u bytes of no field: %s",
		      names[i], how,
		      shortened ? ", of texts that become shorter" : "", seen.uncovered,
		      seen.wrong ?: "all 0");
		events_disable(call, perf);
		events_run_work();
	}
}

/* A record can be printed when its event is gone, and no other event gets its number. */
static void check_old_record(void)
{
	struct trace_event_call *call = events_find("markers", "of_gaps");
	unsigned int number = call->event.type, written = 0, i;
	char expected[256];

	events_enable(call, false);
	events_fire(50);
	events_disable(call, false);
	check(!events_execute("expose of_new*"), "the rule is another one");
	check(list_empty(&events_known), "all events are gone");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		written++;
	check(events_numbers() == written, "each kind of record that was written keeps its number");
	expect("of_gaps", 50, expected, sizeof(expected));
	print(seen.record, seen.size);
	check(!strcmp(expected, seen.text), "a record is printed whose event is gone");
	check(!events_execute("expose of_byte"), "another event comes");
	check(events_find("markers", "of_byte")->event.type != number, "it has another number");
	check(!events_execute("expose of_gaps"), "the event comes back");
	call = events_find("markers", "of_gaps");
	check(call && call->event.type == number, "it has the same number");
	check(!events_execute("expose *"), "all come back");
}

/* The kernel finds the fields of a record by its number, as long as it has the event. */
static void check_busy(void)
{
	struct trace_event_call *call = events_find("markers", "of_byte");
	struct marker_event *event = container_of(call, struct marker_event, call);
	struct trace_event_call *record = &event->type->call;

	events_are_busy = true;
	check(!events_execute("expose of_new*") && call == events_find("markers", "of_byte"),
	      "an event that the kernel does not remove stays");
	check(record->class->get_fields(record) == &event->class.fields, "and so do its fields");
	events_are_busy = false;
	check(!events_execute("expose *"), "all are there");
}

/* The kernel has an event of another module. */
static void check_other_event(void)
{
	struct trace_event_class class = { .system = "markers" };
	struct tracepoint tp = { .name = "of_long" };
	struct trace_event_call other = { .class = &class, .tp = &tp };
	long references = request_references;

	events_execute("expose of_new*");
	list_add_tail(&other.list, &events_known);
	check(!events_execute("expose of_long of_byte") && events_find("markers",
								       "of_long") == &other &&
	      events_find("markers",
			  "of_byte"), "an event whose name another one has is not added");
	list_del(&other.list);
	events_execute("expose of_new*");
	events_execute("expose *");
	check(events_find("markers", "of_long") && request_references == references,
	      "without that one it is");
}

/* An event of which nothing was written gives its number back. */
static void check_numbers(void)
{
	check(events_numbers() == ARRAY_SIZE(names) + 1, "each event has a number");
	check(events_find("subsys", "of_system") && !events_find("markers", "of_system"),
	      "a marker may have a system of its own");
	check(!events_execute("expose of_new*") && !events_numbers(),
	      "without a record it gives its number back");
	check(!events_execute("expose *"), "all come back");
}

#define TYPE(number, type)	((u32)MARKER_TYPE_##type << (4 * (number)))

static const struct pair {
	const char *format;
	u32 types;
	const char *other;
	u32 types_of_other;
	bool equal;
} pairs[] = {
	{ "n=%u", TYPE(0, U32), "n=%u", TYPE(0, U32), true },
	{ "n=%u", TYPE(0, U32), " n=%u\n", TYPE(0, U32), false },
	{ "n=%u", TYPE(0, U32), "n=%u\n", TYPE(0, U32), true },
	{ "n=%u", TYPE(0, U32), "m=%u", TYPE(0, U32), false },
	{ "%u", TYPE(0, U32), "%u", TYPE(0, S32), false },
	{ "%u", TYPE(0, U32), "%u %u", TYPE(0, U32) | TYPE(1, U32), false },
	{ "%u %u", TYPE(0, U32) | TYPE(1, U32), "%u", TYPE(0, U32), false },
	{ "n=%p", TYPE(0, PTR), "n=0x%lx", TYPE(0, U64), false },
	{ "n=%p", TYPE(0, PTR), "n=%8p", TYPE(0, PTR), true },
};

/* Sites of one marker whose events are the same. */
static void check_pairs(void)
{
	struct marker_event_format a, b;
	const struct pair *p;

	for (p = pairs; p < pairs + ARRAY_SIZE(pairs); p++) {
		const struct marker_site one = {
			.name = "m", .format = p->format, .types = p->types,
		};
		const struct marker_site other = {
			.name = "m", .format = p->other, .types = p->types_of_other,
		};

		check(!marker_event_format_parse(&a, &one) &&
		      !marker_event_format_parse(&b, &other) &&
		      marker_event_format_equal(&a, &b) == p->equal,
		      "\"%s\" and another one", p->format);
		marker_event_format_exit(&a);
		marker_event_format_exit(&b);
	}
}

/* A marker that takes the place of an event of the kernel has its system in its name. */
static void name_system(void)
{
	struct marker_site *site;

	for (site = __marker_sites; site < __marker_sites_end; site++)
		if (!strcmp(site->name, "of_system"))
			site->name = "subsys/of_system";
}

/* Print what the kernel gets of each event. */
static void print_events(void)
{
	const struct trace_event_fields *field;
	struct trace_event_call *call;

	list_for_each_entry(call, &events_known, list) {
		printf("%s:%s, flags %#x\n", call->class->system, call->tp->name, call->flags);
		for (field = call->kept; field->type; field++)
			printf("  %s %s: size %d, aligned to %d, signed %d, filter %d, length %d\n",
			       field->type, field->name, field->size, field->align,
			       field->is_signed, field->filter_type, field->len);
		printf("  %s\n", call->print_fmt);
	}
}

int main(int argc, char **argv)
{
	if (!freopen("/dev/null", "w", stderr))
		err(2, "no log");
	name_system();
	self_register_sites();
	if (argc > 1 && !strcmp(argv[1], "listing")) {
		events_load();
		print_events();
		return 0;
	}
	check_faults();
	check(!events_load(), "the probe is loaded");
	check_numbers();
	check_pairs();
	check_busy();
	check_other_event();
	check_records(false, false);
	check_old_record();
	check_records(true, false);
	check_records(false, true);
	check_records(true, true);
	events_unload();
	check(!request_references && list_empty(&events_known),
	      "no reference and no event is left");
	printf("1..%u\n", checks);
	return !!failures;
}
