// SPDX-License-Identifier: GPL-2.0-only
/* Converts the format of pr_debug() to that of a marker; see debug_format.h. */
#include "debug_format.h"

#define ALL_POINTERS	0xaaaaaaaau	/* MARKER_TYPE_PTR eight times */
#define SPEC_BYTES	24		/* bytes of a conversion that is written alone */

/* The state of one call of marker_debug_format_make(). */
struct making {
	struct marker_debug_format *format;
	char *text;
	unsigned int len;
	const char *source;
	unsigned int behind;	/* start of the part of source that is not in the text yet */
};

/*
 * Return a site for parsing @source. Its arguments have the type of pointers, which any conversion
 * accepts.
 */
static struct marker_site site_of(const char *source)
{
	return (struct marker_site){ .format = source, .types = ALL_POINTERS };
}

/* True if @arg is no conversion of printk(): one that only MARK_FIELDS() makes, or none at all. */
static bool is_unknown(const struct marker_arg *arg)
{
	return arg->is_symbolic || arg->role == MARKER_ROLE_BYTES ||
	       (arg->role == MARKER_ROLE_REFUSED && arg->letter != 'p');
}

/* The type of the argument that a conversion takes. */
static enum marker_type type_of(const struct marker_arg *arg)
{
	bool is_signed = arg->letter == 'd';

	if (arg->letter == 'p' || arg->decode[0])
		return MARKER_TYPE_PTR;
	if (arg->letter == 's')
		return MARKER_TYPE_STR;
	if (arg->letter == 'c' || !strcmp(arg->length, "hh"))
		return is_signed ? MARKER_TYPE_S8 : MARKER_TYPE_U8;
	if (!strcmp(arg->length, "h"))
		return is_signed ? MARKER_TYPE_S16 : MARKER_TYPE_U16;
	if (!strcmp(arg->length, "l"))
		return is_signed ? MARKER_TYPE_S64 : MARKER_TYPE_U64;
	return is_signed ? MARKER_TYPE_S32 : MARKER_TYPE_U32;
}

static struct marker_debug_word *add_word(struct making *m, enum marker_type type)
{
	struct marker_debug_word *word = &m->format->words[m->format->nwords];

	m->format->types |= (u32)type << (4 * m->format->nwords++);
	word->reading = DEBUG_READS_WORD;
	marker_debug_word_set_type(word, type);
	return word;
}

static void add_text(struct making *m, const char *from, unsigned int len)
{
	m->len += scnprintf(m->text + m->len, MARKER_FORMAT_SIZE - m->len, "%.*s", (int)len, from);
}

/* Copy the text of the source up to @end, which has no conversion. */
static void add_plain(struct making *m, unsigned int end)
{
	add_text(m, m->source + m->behind, end - m->behind);
	m->behind = end;
}

static void add_written(struct making *m, enum marker_debug_reading reading, unsigned int start,
			unsigned int end, unsigned int nargs)
{
	struct marker_debug_word *word = add_word(m, MARKER_TYPE_STR);

	word->reading = reading;
	word->start = start;
	word->end = end;
	word->nargs = nargs;
	m->format->ntexts++;
	add_text(m, "%s", 2);
	m->behind = end;
}

/* True if the arguments of @rest are as many as a marker has, and can be read as its own. */
static bool is_markers(const char *rest, u32 *types)
{
	struct marker_site site = site_of(rest);
	struct marker_arg arg = { };
	unsigned int n = 0;

	*types = 0;
	while (marker_arg_next(&site, &arg)) {
		if (arg.next > MARKER_ARGS_MAX || arg.role == MARKER_ROLE_REFUSED ||
		    is_unknown(&arg))
			return false;
		for (; n < arg.index; n++)
			*types |= (u32)MARKER_TYPE_S32 << (4 * n);
		*types |= (u32)type_of(&arg) << (4 * n++);
	}
	return true;
}

static void add_rest(struct making *m)
{
	const char *rest = m->source + m->behind;

	add_written(m, is_markers(rest, &m->format->rest_types) ? DEBUG_READS_REST :
								  DEBUG_READS_REST_BY_PRINTF,
		    m->behind, m->behind + strlen(rest), 0);
}

static void add_conversion(struct making *m, const struct marker_arg *arg, unsigned int nargs)
{
	add_plain(m, arg->start);
	if (arg->role == MARKER_ROLE_REFUSED) {
		add_written(m, DEBUG_READS_TEXT, arg->start, arg->end, nargs);
		return;
	}
	while (--nargs)
		add_word(m, MARKER_TYPE_S32);
	add_word(m, type_of(arg));
	add_plain(m, arg->end);
}

static bool has_conversion(const char *source)
{
	struct marker_site site = site_of(source);
	struct marker_arg arg = { };

	return marker_arg_next(&site, &arg);
}

/* True if the format has room for the words of @arg, and for one text if conversions follow it. */
static bool fits(const struct making *m, const struct marker_arg *arg, unsigned int nargs)
{
	unsigned int words = arg->role == MARKER_ROLE_REFUSED ? 1 : nargs;

	return m->format->nwords + words + has_conversion(m->source + arg->end) <=
	       MARKER_ARGS_MAX && arg->end - arg->start < SPEC_BYTES && !is_unknown(arg);
}

static void add_all(struct making *m)
{
	struct marker_site site = site_of(m->source);
	struct marker_arg arg = { };
	unsigned int nargs, taken = 0;

	while (marker_arg_next(&site, &arg)) {
		nargs = arg.next - taken;
		taken = arg.next;
		/* An argument too many: its type is unknown, or there are no words left. */
		if (arg.index >= MARKER_ARGS_MAX || !fits(m, &arg, nargs)) {
			add_rest(m);
			return;
		}
		add_conversion(m, &arg, nargs);
	}
	add_plain(m, strlen(m->source));
}

static void begin(struct making *m, unsigned int nprefix)
{
	static const char *const prefixes[] = { "", "%s: ", "%s %s: " };
	unsigned int i;

	*m->format = (struct marker_debug_format){ .nprefix = nprefix };
	m->len = 0;
	m->behind = 0;
	add_text(m, prefixes[nprefix], strlen(prefixes[nprefix]));
	for (i = 0; i < nprefix; i++)
		add_word(m, MARKER_TYPE_STR);
}

void marker_debug_format_make(struct marker_debug_format *format, char text[MARKER_FORMAT_SIZE],
			      const char *source, unsigned int nprefix)
{
	struct making m = { .format = format, .text = text, .source = source };

	begin(&m, nprefix);
	if (strlen(source) + sizeof("%s %s: ") + 2 * MARKER_ARGS_MAX < MARKER_FORMAT_SIZE)
		add_all(&m);
	else
		add_rest(&m);
}
