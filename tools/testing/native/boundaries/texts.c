// SPDX-License-Identifier: GPL-2.0-only
/* Conditions at the ends of each type, and what events are printed as. */
#include "boundaries.h"
#include "fetch.h"
#include "guard.h"

#define TYPE(number, type)	((u32)MARKER_TYPE_##type << (4 * (number)))

/* @expected: 1 or 0: it matches or not; -1: it is refused for the site, -2: for all. */
static const struct judged {
	const char *condition;
	u32 types;
	unsigned long words[MARKER_ARGS_REGS];
	int expected;
} judged[] = {
	{ "arg0==5", TYPE(0, S32), { 5 }, 1 }, { "arg0==5", TYPE(0, S32), { 6 }, 0 },
	{ "arg0!=5", TYPE(0, S32), { 5 }, 0 }, { "arg0!=5", TYPE(0, S32), { 6 }, 1 },
	{ "arg0<=5", TYPE(0, S32), { 5 }, 1 }, { "arg0<=5", TYPE(0, S32), { 6 }, 0 },
	{ "arg0>=5", TYPE(0, S32), { 5 }, 1 }, { "arg0>=5", TYPE(0, S32), { 4 }, 0 },
	{ "arg0<5", TYPE(0, S32), { 5 }, 0 }, { "arg0<5", TYPE(0, S32), { 4 }, 1 },
	{ "arg0>5", TYPE(0, S32), { 5 }, 0 }, { "arg0>5", TYPE(0, S32), { 6 }, 1 },
	{ "arg0&6", TYPE(0, U32), { 9 }, 0 }, { "arg0&6", TYPE(0, U32), { 2 }, 1 },
	{ "arg0<0", TYPE(0, S8), { -1 }, 1 }, { "arg0<0", TYPE(0, S16), { -1 }, 1 },
	{ "arg0<0", TYPE(0, S32), { -1 }, 1 }, { "arg0<0", TYPE(0, S64), { -1 }, 1 },
	{ "arg0>254", TYPE(0, U8), { 255 }, 1 }, { "arg0>65534", TYPE(0, U16), { 65535 }, 1 },
	{ "arg0>1", TYPE(0, U64), { -1 }, 1 }, { "arg0>1", TYPE(0, PTR), { -1 }, 1 },
	{ "arg0==127", TYPE(0, S8), { 127 }, 1 }, { "arg0==128", TYPE(0, S8), { }, -1 },
	{ "arg0==-128", TYPE(0, S8), { -128 }, 1 }, { "arg0==-129", TYPE(0, S8), { }, -1 },
	{ "arg0==255", TYPE(0, U8), { 255 }, 1 }, { "arg0==256", TYPE(0, U8), { }, -1 },
	{ "arg0==-1", TYPE(0, U8), { }, -1 }, { "arg0==32768", TYPE(0, S16), { }, -1 },
	{ "arg0==0xffffffffffffffff", TYPE(0, U64), { -1 }, 1 },
	{ "arg0==0x8000000000000000", TYPE(0, S64), { }, -1 },
	{ "arg0==1&&arg1==2", TYPE(0, S32) | TYPE(1, S32), { 1, 2 }, 1 },
	{ "arg0==1 && arg1==2", TYPE(0, S32) | TYPE(1, S32), { 1, 3 }, 0 },
	{ "arg0==1 && arg1==2", TYPE(0, S32) | TYPE(1, S32), { 0, 2 }, 0 },
	{ "arg1==2", TYPE(0, S32), { }, -1 }, { "arg1==0", TYPE(0, S32), { }, -1 },
	{ "arg8==1", TYPE(0, S32), { }, -2 },
	{ "arg10==1", TYPE(0, S32) | TYPE(1, S32), { }, -2 }, { "arg0", TYPE(0, S32), { }, -2 },
	{ "arg0==", TYPE(0, S32), { }, -2 }, { "arg0==1 arg0==2", TYPE(0, S32), { }, -2 },
	{ "arg0<word", TYPE(0, STR), { }, -2 }, { "arg0==word", TYPE(0, S32), { }, -1 },
	{ "arg0==word", TYPE(0, STR), { (unsigned long)"word" }, 1 },
	{ "arg0==word", TYPE(0, STR), { (unsigned long)"words" }, 0 },
	{ "arg0!=word", TYPE(0, STR), { (unsigned long)"wor" }, 1 },
	{ "arg0==\"two words\"", TYPE(0, STR), { (unsigned long)"two words" }, 1 },
	{ "arg0==\"two words", TYPE(0, STR), { }, -2 }, { "arg0<5", TYPE(0, STR), { }, -1 },
	{ "arg0==(null)", TYPE(0, STR), { 0 }, 1 }, { "arg0==(efault)", TYPE(0, STR), { 4096 }, 1 },
};

static unsigned int passed;

static void pass(MARKER_PARAMS)
{
	passed++;
}

/* Pass an event through the guard that sites with these fields call. */
static bool passes_guard(struct marker_guard *guard, const struct marker_filter_fields *fields,
			 const struct marker_site *site, const unsigned long *words)
{
	const struct marker_guarded guarded = {
		.guard = guard, .fields = *fields, .link.func = pass,
	};
	const struct marker_link link = {
		.func = marker_guard_func(guard, fields), .data = (void *)&guarded,
	};

	passed = 0;
	link.func(&link, site, words[0], words[1], words[2],
		  marker_site_nargs(site) > MARKER_ARGS_REGS ? (unsigned long)&words[3] :
							       words[3]);
	return passed;
}

static int judge_site(const char *condition, const struct marker_site *site,
		      const unsigned long *words)
{
	struct marker_guard guard = { .leaf = true };
	struct marker_filter_fields fields;
	int ret = -1;

	if (marker_filter_parse(&guard.filter, condition))
		return -2;
	if (!marker_filter_check(&guard.filter, site, &fields)) {
		ret = marker_filter_match(&guard.filter, &fields, site, words);
		if (passes_guard(&guard, &fields, site, words) != ret)
			ret = -3;
	}
	marker_filter_free(&guard.filter);
	return ret;
}

static int judge(const char *condition, u32 types, const unsigned long *words)
{
	const struct marker_site site = {
		.name = "m", .file = "f.c", .types = types,
		.format = (types & 15) == MARKER_TYPE_STR ? "%s" : "%ld %ld",
	};

	return judge_site(condition, &site, words);
}

/* Conditions on a site whose format names its fields: len, dev, and one by its number. */
static const struct named {
	const char *condition;
	int expected;
} named[] = {
	{ "len == 1500", 1 }, { "len>1500", 0 }, { "arg0==1500", 1 }, { "dev == eth0", 1 },
	{ "dev == \"eth0\"", 1 }, { "dev != eth0", 0 }, { "arg1==eth0", 1 }, { "arg2==7", 1 },
	{ "le == 1500", -1 }, { "lens == 1500", -1 }, { "nosuch == 1", -1 }, { "line == 1", -1 },
	{ "arg3==1", -1 }, { "dev == 5 && len > 1", 0 }, { "len == eth0", -1 }, { "dev > 5", -1 },
	{ "dev ~ eth*", 1 }, { "dev ~ \"e?h[0-9]\"", 1 }, { "dev ~ wlan*", 0 }, { "dev ~ eth", 0 },
	{ "len ~ 15*", -1 }, { "len ~ 1500", -1 },
	/* "&&" binds closer than "||", "!" closest. */
	{ "len == 1 || dev == eth0", 1 }, { "len == 1 || dev == lo", 0 },
	{ "len == 1500 || dev == lo", 1 },
	{ "len == 1500 || len == 1 && dev == lo", 1 },
	{ "(len == 1500 || len == 1) && dev == lo", 0 },
	{ "len == 1 && dev == eth0 || arg2 == 7", 1 },
	{ "len == 1 && (dev == eth0 || arg2 == 7)", 0 },
	{ "dev == lo || dev == lo || dev == eth0", 1 },
	{ "dev == lo || len == 1500 && arg2 == 8", 0 },
	{ "len == 1500 && dev == eth0 && arg2 == 7", 1 },
	{ "len == 1500 && dev == eth0 && arg2 == 8", 0 },
	{ "(dev==eth0)", 1 }, { "((dev==eth0)&&(len==1500))", 1 }, { "(dev==lo)||(len==1500)", 1 },
	{ "!dev == eth0", 0 }, { "!dev == lo", 1 }, { "!(dev == lo || len == 1)", 1 },
	{ "!(dev == eth0 && len == 1)", 1 }, { "!(dev == lo) && len == 1500", 1 },
	{ "!(dev == lo) && len == 1", 0 },
	{ "!(dev == eth0) || len == 1500", 1 }, { "!(!(len == 1500))", 1 },
	{ "!(len == 1) && !(len == 2)", 1 },
	/* The context: the program is called "boundaries". */
	{ "$comm == boundaries", 1 }, { "$comm ~ bound*", 1 }, { "$comm != boundaries", 0 },
	{ "$pid > 1", 1 }, { "$irq == 0 && len == 1500", 1 }, { "$irq == 3", 0 },
	{ "$preempt == 0", 1 },
	{ "$prio == 120", 1 }, { "$cpu < 4096", 1 }, { "$cgroup == 0", 1 },
	{ "$tid != 0 && dev == lo", 0 },
	{ "$irq == 256", -2 }, { "$comm > 5", -2 }, { "$comm & 5", -2 },
	{ "$pid == boundaries", -2 },
	{ "$pid ~ 5", -2 }, { "$pid == \"5\"", -2 }, { "$pi == 1", -2 }, { "$pids == 1", -2 },
	{ "$ == 1", -2 },
	/* Conditions that cannot be parsed. */
	{ "", -2 }, { "()", -2 }, { "(len == 1", -2 }, { "len == 1)", -2 }, { "len == 1 ||", -2 },
	{ "|| len == 1", -2 }, { "len == 1 | dev == lo", -2 }, { "len == 1 && || dev == lo", -2 },
	{ "!", -2 }, { "len", -2 }, { "len ~", -2 }, { "5 == len", -2 }, { "len > word", -2 },
	{ "(((((((( len == 1500 ))))))))", 1 }, { "((((((((( len == 1500 )))))))))", -2 },
};

static void check_named(void)
{
	const struct marker_site site = {
		.name = "m", .file = "f.c", .format = "len=%u dev: %s %d",
		.types = TYPE(0, U32) | TYPE(1, STR) | TYPE(2, S32),
	};
	const unsigned long words[MARKER_ARGS_REGS] = { 1500, (unsigned long)"eth0", 7 };
	const struct named *n;

	for (n = named; n < named + ARRAY_SIZE(named); n++)
		check(judge_site(n->condition, &site, words) == n->expected, "condition",
		      n->condition);
}

/* Conditions on a site with the format of MARK_FIELDS(): port, mac, state. */
static const struct named fields[] = {
	{ "port == 80", 1 }, { "arg0 == 80", 1 }, { "mac == \"61 62 63\"", 1 },
	{ "mac == \"61 62 64\"", 0 }, { "mac ~ \"61 *\"", 1 }, { "mac > 5", -1 },
	{ "state == 7", 1 }, { "state > 6", 1 }, { "state == BUSY", 1 }, { "state == IDLE", 0 },
	{ "state != IDLE", 1 }, { "state ~ B*", 1 }, { "state == BUS", 0 }, { "state > BUSY", -2 },
	{ "state ~ 7", -1 }, { "state == 0x100000000", -1 }, { "port == BUSY", -1 },
	{ "BUSY == 7", -1 },
};

static void check_fields(void)
{
	const struct marker_site site = {
		.name = "m", .file = "f.c",
		.format = "port=%hu mac=%3y state=%{ IDLE=00000000 BUSY=00000007 }",
		.types = TYPE(0, U16) | TYPE(1, PTR) | TYPE(2, S32),
	};
	const unsigned long words[MARKER_ARGS_REGS] = { 80, (unsigned long)"abc", 7 };
	const struct named *n;

	for (n = fields; n < fields + ARRAY_SIZE(fields); n++)
		check(judge_site(n->condition, &site, words) == n->expected,
		      "condition on fields", n->condition);
}

static const struct called {
	const char *format;
	const char *names[2];
} called[] = {
	{ "len=%u dev=%s", { "len", "dev" } }, { "len: %u dev: %s", { "len", "dev" } },
	{ "%u %s", { "arg0", "arg1" } }, { "len %u dev=%s", { "arg0", "dev" } },
	{ "len=%u len=%s", { "len", "arg1" } }, { "line=%u arg0=%s", { "arg0", "arg1" } },
	{ "common_pid=%u 5x=%s", { "arg0", "arg1" } }, { "a_b1=%u (c=%s)", { "a_b1", "c" } },
	{ "default=%u int: %s", { "arg0", "arg1" } }, { "defaul=%u intl=%s", { "defaul", "intl" } },
	{ "len=%*u", { "arg0", "len" } }, { "%u=%s", { "arg0", "arg1" } },
	{ "abcdefghijklmnopqrstuvwxyz12345=%u abcdefghijklmnopqrstuvwxyz123456=%s",
					     { "abcdefghijklmnopqrstuvwxyz12345", "arg1" } },
	{ "na\303\257ve=%u x\351y: %s", { "arg0", "arg1" } }, { "\303\251: a=%ub=%s", { "a", "b" } },
};

static void check_names(void)
{
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	const struct called *c;

	for (c = called; c < called + ARRAY_SIZE(called); c++) {
		const struct marker_site site = {
			.format = c->format, .types = TYPE(0, U32) | TYPE(1, STR),
		};

		marker_arg_names(&site, names);
		check(!strcmp(names[0], c->names[0]) && !strcmp(names[1], c->names[1]),
		      "names of the arguments of", c->format);
	}
}

/* A text as long as can be fetched, and one more. */
static void check_long_texts(void)
{
	char text[MARKER_TEXT_MAX + 1], condition[MARKER_TEXT_MAX + 16];
	unsigned long words[MARKER_ARGS_REGS] = { (unsigned long)text };
	unsigned int n;

	for (n = MARKER_TEXT_MAX - 2; n <= MARKER_TEXT_MAX; n++) {
		memset(text, 'x', n);
		text[n] = '\0';
		sprintf(condition, "arg0==%s", text);
		check(judge(condition, TYPE(0, STR), words) == (n < MARKER_TEXT_MAX ? 1 : -1),
		      "a text of 254, 255 and 256 characters", condition + 240);
	}
}

static void check_clauses(void)
{
	const unsigned long words[MARKER_ARGS_REGS] = { 1 };
	char condition[MARKER_FILTER_CLAUSES_MAX * 10 + 10] = "arg0==1";
	unsigned int n;

	for (n = 1; n < MARKER_FILTER_CLAUSES_MAX; n++)
		strcat(condition, "&&arg0==1");
	check(judge(condition, TYPE(0, S32), words) == 1, "as many conditions as there may be", "");
	strcat(condition, "&&arg0==1");
	check(judge(condition, TYPE(0, S32), words) == -2, "one condition more", "");
}

/* Result of a comparison, in words of C. */
static bool compare(const char *op, bool is_signed, unsigned long a, unsigned long b)
{
	bool less = is_signed ? (long)a < (long)b : a < b;

	if (op[0] == '&')
		return a & b;
	if (op[0] == '<')
		return less || (op[1] && a == b);
	if (op[0] == '>')
		return op[1] ? !less : !less && a != b;
	return (a == b) == (op[0] == '=');
}

/* Numbers at the ends of the types, each compared with each. */
static void check_comparisons(void)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "<", ">", "&" };
	static const unsigned long values[] = { LONG_MIN, LONG_MIN + 1, -2, -1, 0, 1, 2, LONG_MAX };
	unsigned int op, is_signed, i, j, wrong = 0;
	bool negated;
	char condition[64];

	for (op = 0; op < ARRAY_SIZE(ops); op++)
		for (is_signed = 0; is_signed < 2; is_signed++)
			for (i = 0; i < ARRAY_SIZE(values); i++)
				for (j = 0; j < ARRAY_SIZE(values) * 2; j++) {
					const unsigned long words[MARKER_ARGS_REGS] = { values[i] };
					unsigned long value = values[j / 2];

					negated = j % 2;
					sprintf(condition, is_signed ? "%sarg0 %s %ld" :
								       "%sarg0 %s %lu",
						negated ? "!" : "", ops[op], value);
					wrong += judge(condition, is_signed ? TYPE(0, S64) :
									      TYPE(0, U64),
						       words) !=
						 (compare(ops[op], is_signed, values[i], value) ^
						  negated);
				}
	check(!wrong, "each number compared with each, by all operators", "");
}

/* A condition on each of up to eight arguments. */
static void check_positions(void)
{
	const unsigned long words[MARKER_ARGS_MAX] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct marker_site site = { .name = "m", .file = "f.c" };
	unsigned int nargs, i, wrong = 0;
	char condition[64], format[64] = "";

	for (nargs = 1; nargs <= MARKER_ARGS_MAX; nargs++) {
		strcat(format, "%d ");
		site.format = format;
		site.types |= TYPE(nargs - 1, S32);
		for (i = 0; i < nargs; i++) {
			sprintf(condition, "arg%u == %u", i, i + 1);
			wrong += judge_site(condition, &site, words) != 1;
			sprintf(condition, "arg%u == %u", i, i);
			wrong += judge_site(condition, &site, words) != 0;
		}
	}
	check(!wrong, "each argument of up to eight compared", "");
}

void check_filters(void)
{
	const struct judged *j;

	for (j = judged; j < judged + ARRAY_SIZE(judged); j++)
		check(judge(j->condition, j->types, j->words) == j->expected, "condition",
		      j->condition);
	check_named();
	check_fields();
	check_names();
	check_long_texts();
	check_clauses();
	check_comparisons();
	check_positions();
}

#define NUMBERS (TYPE(0, S64) | TYPE(1, S64) | TYPE(2, S64))
#define TEXTS	(TYPE(0, S32) | TYPE(1, STR))

static const struct printed {
	const char *format;
	u32 types;
	unsigned long words[3];
	unsigned int size;
	const char *expected;
} printed[] = {
	{ "%d %u", NUMBERS, { -1, 7 }, 64, "-1 7" }, { "%i", NUMBERS, { -2 }, 64, "-2" },
	{ "a%%b %ld%%", NUMBERS, { 3 }, 64, "a%b 3%" },
	{ "%o %x %X", NUMBERS, { 8, 255, 255 }, 64, "10 ff FF" },
	{ "[%5ld][%-5ld]", NUMBERS, { 1, 2 }, 64, "[    1][2    ]" },
	{ "[%05ld][%+ld]", NUMBERS, { 1, 2 }, 64, "[00001][+2]" },
	{ "[%.3ld]", NUMBERS, { 7 }, 64, "[007]" },
	{ "[%*ld]", NUMBERS, { 4, 9 }, 64, "[   9]" },
	{ "[%.*ld]", NUMBERS, { 3, 9 }, 64, "[009]" },
	{ "[%*.*ld]", NUMBERS, { 5, 2, 9 }, 64, "[   09]" },
	{ "%lld %zd", NUMBERS, { 1, -1 }, 64, "1 -1" },
	{ "%hhd %hd", NUMBERS, { 257, 65537 }, 64, "1 1" }, { "%c|", NUMBERS, { 'x' }, 64, "x|" },
	{ "%px", TYPE(0, PTR), { 255 }, 64, "00000000000000ff" },
	{ "%d %s!", TEXTS, { 1, (unsigned long)"text" }, 64, "1 text!" },
	{ "%d %s", TEXTS, { 1, 0 }, 64, "1 (null)" },
	{ "%d [%6s]", TEXTS, { 1, (unsigned long)"ab" }, 64, "1 [    ab]" },
	{ "%d [%-6s]", TEXTS, { 1, (unsigned long)"ab" }, 64, "1 [ab    ]" },
	{ "%d [%.2s]", TEXTS, { 1, (unsigned long)"abcd" }, 64, "1 [ab]" },
	{ "[%.*s]", TEXTS, { 3, (unsigned long)"abcd" }, 64, "[abc]" },
	{ "[%.*s]", TEXTS, { -1, (unsigned long)"abcd" }, 64, "[]" },
	{ "[%*s]", TEXTS, { -4, (unsigned long)"ab" }, 64, "[ab  ]" },
	{ "12345678", 0, { }, 9, "12345678" }, { "12345678", 0, { }, 8, "1234567" },
	{ "%d %s", TEXTS, { 1, (unsigned long)"text" }, 6, "1 tex" },
	{ "%ld", NUMBERS, { 12345 }, 3, "12" },
	{ "a=%3y b", TYPE(0, PTR), { (unsigned long)"abc" }, 64, "a=61 62 63 b" },
	{ "%3y", TYPE(0, PTR), { (unsigned long)"abc" }, 6, "61 62" },
	{ "%3y", TYPE(0, PTR), { 0 }, 64, "(null)" },
	{ "%3y", TYPE(0, PTR), { 4096 }, 64, "(efault)" },
	{ "%{ A=00000000 B=ffffffff }.", TYPE(0, S32), { -1 }, 64, "B." },
	{ "%{ A=00000000 B=ffffffff }.", TYPE(0, S32), { 0 }, 64, "A." },
	{ "%{ A=00000000 B=ffffffff }.", TYPE(0, S32), { 171 }, 64, "0xab." },
	{ "%{ ABCD=00000000 }", TYPE(0, S32), { 0 }, 4, "ABC" },
	/* No more than what can be read of the names is used. */
	{ "%{ A=00000005 B=6 C=00000006 }.", TYPE(0, S32), { 6 }, 64, "0x6." },
	{ "%{ A_1=00000006 }.", TYPE(0, S32), { 6 }, 64, "A_1." },
	{ "%{ \351=00000006 }.", TYPE(0, S32), { 6 }, 64, "0x6." },
	{ "a\nb %d\n\n", TYPE(0, S32), { 5 }, 64, "a b 5" }, { "\n", 0, { }, 64, "" },
	{ "%s\n", TYPE(0, STR), { (unsigned long)"c\n" }, 64, "c\\x0a" },
	{ "%{}.", TYPE(0, S32), { 6 }, 64, "0x6." }, { "%{ A=}", TYPE(0, S32), { 6 }, 64, "0x6" },
};

static unsigned int wrong_lengths;

static unsigned int fetch(const struct marker_arg *arg, const unsigned long *words, char *to,
			  unsigned int size)
{
	unsigned int len = marker_fetch_text(arg, words, to, size);

	wrong_lengths += len != strlen(to);
	return len;
}

static bool prints(const struct printed *p, unsigned int size)
{
	const struct marker_site site = { .format = p->format, .types = p->types };
	char to[80];
	unsigned int len;

	memset(to, '~', sizeof(to));
	len = marker_print(&site, p->words, fetch, to, size);
	return !strcmp(to, p->expected) && len == strlen(to) && to[size] == '~';
}

static bool has_plan(const char *format, u32 types, int expected)
{
	const struct marker_site site = { .name = "m", .file = "f.c", .format = format, .types = types };
	struct marker_plan plan;

	return marker_plan_make(&plan, &site, "test") == expected;
}

void check_prints(void)
{
	const struct printed *p;

	for (p = printed; p < printed + ARRAY_SIZE(printed); p++)
		check(prints(p, p->size), "printed", p->format);
	check(!wrong_lengths, "lengths of texts", "");
	check(has_plan("%d %d %d", NUMBERS, 0), "as many conversions as arguments", "");
	check(has_plan("%d %d", NUMBERS, -EINVAL), "fewer conversions than arguments", "");
	check(has_plan("%d %d %d %d", NUMBERS, -EINVAL), "more conversions than arguments", "");
	check(has_plan("%*d %d", NUMBERS, 0), "a \"*\" takes an argument", "");
	check(has_plan("%64y", TYPE(0, PTR), 0), "64 bytes", "");
	check(has_plan("%65y", TYPE(0, PTR), -EOPNOTSUPP), "65 bytes are refused", "");
	check(has_plan("%0y", TYPE(0, PTR), -EOPNOTSUPP), "no byte is refused", "");
	check(has_plan("%y", TYPE(0, PTR), -EOPNOTSUPP), "bytes without a number are refused", "");
	check(has_plan("%.3y", TYPE(0, PTR), -EOPNOTSUPP), "bytes with a precision are refused", "");
	check(has_plan("%*y", TYPE(0, S32) | TYPE(1, PTR), -EOPNOTSUPP),
	      "a number of bytes that is an argument is refused", "");
	check(has_plan("%3y", TYPE(0, S64), -EOPNOTSUPP), "a number as bytes is refused", "");
	check(has_plan("%{ A=00000000 }", TYPE(0, S32), 0), "names of values", "");
	check(has_plan("%{ A=00000000", TYPE(0, S32), -EOPNOTSUPP), "names without an end", "");
	check(has_plan("%{ A=00000000 }", TYPE(0, S64), -EOPNOTSUPP), "names of a long", "");
	check(has_plan("%d %s %d", NUMBERS, -EOPNOTSUPP), "a number as a text is refused", "");
	check(has_plan("%d %n %d", NUMBERS, -EOPNOTSUPP), "an unknown conversion is refused", "");
}
