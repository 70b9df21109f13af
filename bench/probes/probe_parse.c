// SPDX-License-Identifier: GPL-2.0-only
/*
 * parse: the thread's probe that goes through the format of the site at each
 * event (row A10) and copies the arguments as it says.  For formats of integers,
 * characters, pointers and strings, of which it keeps the address; others it
 * refuses at connect.
 */
#include <linux/ctype.h>
#include <linux/moduleparam.h>
#include <linux/stdarg.h>
#include "marker_probe.h"

/* Arguments of the last event; every site that runs writes them. */
static long last[MARKER_ARGS_MAX];
static unsigned int nlast;

struct conversion {
	unsigned int bytes;		/* 0: none that is known */
	bool is_signed;
};

static unsigned int notrace integer_bytes(char length, bool twice)
{
	switch (length) {
	case 'h':
		return twice ? sizeof(char) : sizeof(short);
	case 'l':
	case 'z':
	case 't':
		return sizeof(long);
	default:
		return sizeof(int);
	}
}

/* Behind the '%', after flags, width and precision. */
static struct conversion notrace read_conversion(const char **at)
{
	char length = 0;
	bool twice = false;

	if (**at == 'h' || **at == 'l' || **at == 'z' || **at == 't') {
		length = *(*at)++;
		twice = **at == length;
		*at += twice;
	}
	switch (*(*at)++) {
	case 'd':
	case 'i':
		return (struct conversion){ integer_bytes(length, twice), true };
	case 'u':
	case 'x':
	case 'X':
	case 'o':
	case 'c':
		return (struct conversion){ integer_bytes(length, twice), false };
	case 'p':
	case 's':
		return (struct conversion){ sizeof(void *), false };
	default:
		(*at)--;
		return (struct conversion){ };
	}
}

/* Move @at behind the next conversion; false: there is none. */
static bool notrace next_conversion(const char **at, struct conversion *found)
{
	for (; **at; (*at)++) {
		if (**at != '%')
			continue;
		if (*++*at == '%')
			continue;
		while (**at && (isdigit(**at) || **at == '.' || **at == '-' || **at == '+' ||
				**at == ' ' || **at == '#'))
			(*at)++;
		*found = read_conversion(at);
		return true;
	}
	return false;
}

/* Convert a word to the type that the format says. */
static long notrace as_said(unsigned long word, struct conversion conversion)
{
	unsigned int spare = 8 * (sizeof(word) - conversion.bytes);

	return conversion.is_signed ? (long)(word << spare) >> spare :
	       (long)(word << spare >> spare);
}

static noinline notrace void do_mark1(const char *format, ...)
{
	const char *at = format;
	struct conversion conversion;
	unsigned int n = 0;
	va_list ap;

	va_start(ap, format);
	while (n < MARKER_ARGS_MAX && next_conversion(&at, &conversion)) {
		WRITE_ONCE(last[n], as_said(va_arg(ap, unsigned long), conversion));
		n++;
	}
	va_end(ap);
	WRITE_ONCE(nlast, n);
}

static void notrace parse(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX];

	marker_words(words, site, a, b, c, d);
	do_mark1(site->format, words[0], words[1], words[2], words[3], words[4], words[5],
		 words[6], words[7]);
}

static int check(void *data, const struct marker_site *site)
{
	const char *at = site->format;
	struct conversion conversion;
	unsigned int n = 0;

	for (; next_conversion(&at, &conversion); n++)
		if (!conversion.bytes)
			return -EINVAL;
	return n == marker_site_nargs(site) ? 0 : -EINVAL;
}

static struct marker_probe probe = {
	.name = "parse",
	.func = parse,
	.leaf = true,
	.check = check,
	.owner = THIS_MODULE,
};

module_param_array(last, long, &nlast, 0444);
MODULE_PARM_DESC(last, "the arguments of the last event");
MARKER_PROBE_MODULE(probe, "marker probe that parses the format of its sites");
MODULE_VERSION(MARKERS_VERSION);
