// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of debug sites: reads the arguments of a call as the site's format says, and calls
 * the probe.
 *
 * Dynamic debug may have enabled a site as well, so the functions that pass a call on learn
 * whether its message has to be printed.
 *
 * Context: as at the site, NMI included; nothing here is traced.
 */
#include <linux/percpu.h>
#include "debug_call.h"
#include "debug_event.h"
#include "debug_take.h"
#include "fetch.h"

#define TEXTS_BYTES	512	/* bytes of all texts of one event that are written at the site */
#define SPEC_BYTES	24	/* bytes of a conversion that is written alone */

const char *const marker_debug_passed_on = "%pV";

static DEFINE_HASHTABLE(sites, 10);
static DEFINE_PER_CPU(unsigned long, missed);

notrace struct marker_debug_site *marker_debug_site_of(const struct _ddebug *descriptor)
{
	struct marker_debug_site *site;

	hlist_for_each_entry_rcu_notrace(site, &sites[hash_ptr(descriptor, HASH_BITS(sites))],
					 by_descriptor)
		if (site->descriptor == descriptor)
			return site;
	return NULL;
}

NOKPROBE_SYMBOL(marker_debug_site_of);

void marker_debug_site_learn(struct marker_debug_site *site)
{
	hlist_add_head_rcu(&site->by_descriptor,
			   &sites[hash_ptr(site->descriptor, HASH_BITS(sites))]);
}

void marker_debug_site_forget(struct marker_debug_site *site)
{
	hlist_del_init_rcu(&site->by_descriptor);
}

unsigned long marker_debug_event_missed(void)
{
	unsigned long n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += per_cpu(missed, cpu);
	return n;
}

static __always_inline void call_probe(const struct marker_debug_site *site,
				       const struct marker_link *link,
				       const unsigned long words[MARKER_ARGS_MAX])
{
	link->func(link, &site->entry, words[0], words[1], words[2],
		   site->format.nwords > MARKER_ARGS_REGS ? (unsigned long)&words[3] : words[3]);
}

/* Write the text of one conversion with printf(). */
static unsigned int notrace write_text(const struct marker_debug_site *site,
				       const struct marker_debug_word *word, va_list *args,
				       char *to, unsigned int size)
{
	char spec[SPEC_BYTES];
	va_list copy;
	unsigned int len, i;

	scnprintf(spec, sizeof(spec), "%.*s", word->end - word->start,
		  site->source + word->start);
	va_copy(copy, *args);
	len = vscnprintf(to, size, spec, copy);
	va_end(copy);
	for (i = 0; i < word->nargs; i++)
		va_arg(*args, unsigned long);
	return len;
}

/* Write the rest of the format, with pointers that are not trusted. */
static unsigned int notrace write_rest(const struct marker_debug_site *site,
				       const struct marker_debug_word *word, va_list *args,
				       char *to, unsigned int size)
{
	const struct marker_site rest = {
		.format = site->source + word->start,
		.types = site->format.rest_types,
	};
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	struct marker_debug_word plain;
	unsigned int i;

	for (i = 0; i < MARKER_ARGS_MAX; i++) {
		u8 type = marker_site_type(&rest, i);

		if (type == MARKER_TYPE_NONE)
			break;
		marker_debug_word_set_type(&plain, type);
		words[i] = marker_debug_widen(&plain, va_arg(*args, unsigned long));
	}
	return marker_print(&rest, words, marker_fetch_text, to, size);
}

static unsigned int notrace print_rest(const struct marker_debug_site *site,
				       const struct marker_debug_word *word, va_list *args,
				       char *to, unsigned int size)
{
	unsigned int len = vscnprintf(to, size, site->source + word->start, *args);

	if (len && to[len - 1] == '\n')
		to[--len] = '\0';
	return len;
}

/* The arguments of a site with texts that are written here. */
static noinline void notrace record_texts(const struct marker_debug_site *site,
					  const struct marker_link *link,
					  unsigned long words[MARKER_ARGS_MAX], va_list *args)
{
	unsigned int i, size = TEXTS_BYTES / site->format.ntexts;
	char texts[TEXTS_BYTES] MARKER_NOT_CLEARED, *to = texts;

	for (i = site->format.nprefix; i < site->format.nwords; i++) {
		const struct marker_debug_word *word = &site->format.words[i];

		if (word->reading == DEBUG_READS_WORD) {
			words[i] = marker_debug_widen(word, va_arg(*args, unsigned long));
			continue;
		}
		if (word->reading == DEBUG_READS_TEXT)
			write_text(site, word, args, to, size);
		else if (word->reading == DEBUG_READS_REST)
			write_rest(site, word, args, to, size);
		else
			print_rest(site, word, args, to, size);
		words[i] = (unsigned long)to;
		to += size;
	}
	call_probe(site, link, words);
}

/*
 * True if the arguments of a call with @fmt are those of the site. The format of a site with a
 * kprobe becomes known at its first call; text that pr_fmt() has added must have no arguments.
 */
static bool notrace learn_format(const struct marker_debug_site *site, const char *fmt)
{
	const char *from = site->by_kprobe ? strstr(fmt, site->source) : NULL;

	if (!from || memchr(fmt, '%', from - fmt) || strchr(from + strlen(site->source), '%'))
		return false;
	WRITE_ONCE(((struct marker_debug_site *)site)->known, fmt);
	return true;
}

/*
 * Call the probe of @site, whose first words are set. Return false if the call does not have the
 * site's format, because its arguments would be read wrongly.
 */
static __always_inline bool record(const struct marker_debug_site *site,
				   const struct marker_link *link, const char *fmt,
				   unsigned long words[MARKER_ARGS_MAX], va_list *args)
{
	unsigned int i;

	if (unlikely(fmt != site->known && !learn_format(site, fmt))) {
		this_cpu_inc(missed);
		return false;
	}
	if (unlikely(site->format.ntexts)) {
		record_texts(site, link, words, args);
		return true;
	}
	for (i = site->format.nprefix; i < site->format.nwords; i++)
		words[i] = marker_debug_widen(&site->format.words[i], va_arg(*args, unsigned long));
	call_probe(site, link, words);
	return true;
}

/*
 * Call the probe of the site, if it has one; the words that describe a device are set.  Return
 * whether the message has to be printed.
 */
static bool notrace divert(const struct _ddebug *descriptor, const char *fmt,
			   unsigned long words[MARKER_ARGS_MAX], va_list *args)
{
	const struct marker_debug_site *site = marker_debug_site_of(descriptor);
	const struct marker_link *link = site ? READ_ONCE(site->entry.link) : NULL;

	if (likely(link) && !record(site, link, fmt, words, args))
		return true;
	return descriptor->flags & _DPRINTK_FLAGS_PRINT;
}

bool notrace marker_debug_take_pr(const struct marker_debug_args *passed)
{
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	va_list args;

	marker_debug_args_start(&args, passed, 2);
	return divert((const void *)passed->registers[0], (const char *)passed->registers[1],
		      words, &args);
}

bool notrace marker_debug_take_dev(const struct marker_debug_args *passed)
{
	const struct device *dev = (const void *)passed->registers[1];
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	va_list args;

	words[0] = marker_debug_driver_of(dev);
	words[1] = marker_debug_name_of(dev);
	marker_debug_args_start(&args, passed, 3);
	return divert((const void *)passed->registers[0], (const char *)passed->registers[2],
		      words, &args);
}

bool notrace marker_debug_take_netdev(const struct marker_debug_args *passed)
{
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	va_list args;

	words[0] = marker_debug_interface_of((const void *)passed->registers[1]);
	marker_debug_args_start(&args, passed, 3);
	return divert((const void *)passed->registers[0], (const char *)passed->registers[2],
		      words, &args);
}
