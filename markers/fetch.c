// SPDX-License-Identifier: GPL-2.0-only
/* Reads the memory behind the arguments of an event, and prints whole events. */
#include "decode.h"
#include "fetch.h"
#include "nofault.h"
#include "symbol.h"

static int notrace width_of(const struct marker_arg *arg, const unsigned long *words)
{
	return arg->width_arg >= 0 ? (int)words[arg->width_arg] : arg->width;
}

/* Return the limit of @arg; a negative one is 0, as in printk(). */
static unsigned int notrace limit_of(const struct marker_arg *arg, const unsigned long *words,
				     unsigned int most)
{
	if (arg->precision_arg >= 0)
		return clamp_t(int, words[arg->precision_arg], 0, most);
	return arg->precision >= 0 ? min_t(unsigned int, arg->precision, most) : most;
}

int notrace marker_fetch_bytes(const struct marker_arg *arg, const unsigned long *words, u8 *to)
{
	if (!copy_from_kernel_nofault(to, (const void *)words[arg->index], arg->width))
		return 0;
	memset(to, 0, arg->width);
	return -EFAULT;
}
EXPORT_SYMBOL_GPL(marker_fetch_bytes);

/* Write bytes as "%ph" does. */
static unsigned int notrace fetch_hex(const struct marker_arg *arg, const unsigned long *words,
				      char *to, unsigned int size)
{
	u8 bytes[MARKER_BYTES_MAX];
	unsigned int len = 0;
	int i;

	if (marker_fetch_bytes(arg, words, bytes))
		return scnprintf(to, size, words[arg->index] ? "(efault)" : "(null)");
	for (i = 0; i < arg->width; i++)
		len += scnprintf(to + len, size - len, "%s%02x", i ? " " : "", bytes[i]);
	return len;
}

unsigned int notrace marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				       char *to, unsigned int size)
{
	unsigned long word = words[arg->index];

	size = min(size, MARKER_TEXT_MAX);
	if (arg->role == MARKER_ROLE_BYTES)
		return fetch_hex(arg, words, to, size);
	if (arg->role == MARKER_ROLE_TEXT)
		return marker_nofault_string(word, to, limit_of(arg, words, size - 1) + 1);
	return marker_decode(arg, word, width_of(arg, words), to, size);
}
EXPORT_SYMBOL_GPL(marker_fetch_text);

/* Return a width that is limited to @size, because a larger one makes no difference. */
static int notrace star(const unsigned long *words, s8 arg, int size)
{
	return clamp_t(int, words[arg], -size, size);
}

static unsigned int notrace print_word(const struct marker_site *site,
				       const struct marker_arg *arg, const unsigned long *words,
				       char *to, unsigned int size)
{
	s8 width = arg->width_arg, precision = arg->precision_arg;
	unsigned long word = words[arg->index];
	char spec[MARKER_SPEC_MAX], name[MARKER_SYMBOL_MAX];

	if (arg->is_symbolic) {
		marker_symbol_print(site->format, arg, word, name);
		return scnprintf(to, size, "%s", name);
	}
	marker_arg_spec(site, arg, spec);
	if (width >= 0 && precision >= 0)
		return scnprintf(to, size, spec, star(words, width, size),
				 star(words, precision, size), word);
	if (width >= 0 || precision >= 0)
		return scnprintf(to, size, spec,
				 star(words, max(width, precision), size), word);
	return scnprintf(to, size, spec, word);
}

static unsigned int notrace print_text(const struct marker_arg *arg, const unsigned long *words,
				       marker_text_fn *fetch, char *to, unsigned int size)
{
	char text[MARKER_TEXT_MAX];
	int width = 0;

	fetch(arg, words, text, sizeof(text));
	if (!arg->counts)
		width = clamp_t(int, width_of(arg, words), -(int)size, size);
	if (width == MARKER_PLAN_NONE && arg->width_arg < 0)
		width = 0;
	return scnprintf(to, size, "%*s", arg->left ? -abs(width) : width, text);
}

/*
 * Escape control characters. A text can come from any user, and a newline would make one event
 * look like two.
 */
static unsigned int notrace escape_controls(char *text, unsigned int len, unsigned int size)
{
	unsigned int i, n, controls = 0, end;
	char code[sizeof("\\x0a")];

	for (i = 0; i < len; i++)
		controls += !!iscntrl((u8)text[i]);
	if (!controls)
		return len;
	end = len + controls * (sizeof(code) - 2);
	text[min(end, size - 1)] = '\0';
	for (i = len, n = end; i--; ) {
		unsigned int bytes = 1;

		code[0] = text[i];
		if (iscntrl((u8)text[i]))
			bytes = scnprintf(code, sizeof(code), "\\x%02x", (u8)text[i]);
		n -= bytes;
		if (n < size - 1)
			memcpy(text + n, code, min(bytes, size - 1 - n));
	}
	return min(end, size - 1);
}

static unsigned int notrace print_arg(const struct marker_site *site,
				      const struct marker_arg *arg, const unsigned long *words,
				      marker_text_fn *fetch, char *to, unsigned int size)
{
	unsigned int len = marker_arg_has_text(arg) ? print_text(arg, words, fetch, to, size) :
						      print_word(site, arg, words, to, size);

	return escape_controls(to, len, size);
}

/* Print the text between two conversions on one line; "%%" is one '%'. */
static unsigned int notrace print_plain(const char *from, const char *end, char *to,
					unsigned int size)
{
	unsigned int len = 0;

	for (; from < end && len < size - 1; from++) {
		to[len++] = iscntrl((u8)*from) ? ' ' : *from;
		/* Flags and a width may stand between two '%'. */
		if (*from == '%')
			from = strchr(from + 1, '%');
	}
	to[len] = '\0';
	return len;
}

unsigned int notrace marker_print(const struct marker_site *site, const unsigned long *words,
				  marker_text_fn *fetch, char *to, unsigned int size)
{
	const char *behind = site->format, *end = behind + strlen(behind);
	struct marker_arg arg = { };
	unsigned int len = 0;

	while (end > behind && iscntrl((u8)end[-1]))
		end--;
	while (marker_arg_next(site, &arg)) {
		len += print_plain(behind, site->format + arg.start, to + len, size - len);
		if (arg.role != MARKER_ROLE_REFUSED)
			len += print_arg(site, &arg, words, fetch, to + len, size - len);
		behind = site->format + arg.end;
	}
	return len + print_plain(behind, end, to + len, size - len);
}
EXPORT_SYMBOL_GPL(marker_print);
