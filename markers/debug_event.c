// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that debug sites call while they have a probe, in place of __dynamic_pr_debug()
 * and its relatives.  Each reads the arguments as the site's format says, and calls the probe.
 *
 * Several sites may share a call, and dynamic debug may have enabled a site as well, so all
 * that is to be printed is passed on.
 *
 * Context: as at the site, NMI included; nothing here is traced.
 */
#include <linux/device.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include "debug_args.h"
#include "debug_call.h"
#include "debug_event.h"
#include "debug_site.h"
#include "fetch.h"

#define TEXTS_BYTES	512	/* of all texts of one event that are written at the site */
#define SPEC_BYTES	24	/* of a conversion that is written alone */

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

unsigned long marker_debug_missed(void)
{
	unsigned long n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += per_cpu(missed, cpu);
	return n;
}

/* Extend an argument to a whole word: a register has undefined bits beyond the argument's type. */
static __always_inline unsigned long widen(const struct marker_debug_word *word,
					   unsigned long value)
{
	return ((value & word->mask) ^ word->sign) - word->sign;
}

static __always_inline void call_probe(const struct marker_debug_site *site,
				       const struct marker_link *link,
				       const unsigned long words[MARKER_ARGS_MAX])
{
	link->func(link, &site->entry, words[0], words[1], words[2],
		   site->format.nwords > MARKER_ARGS_REGS ? (unsigned long)&words[3] : words[3]);
}

/* One conversion, which printf() writes. */
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
		words[i] = widen(&plain, va_arg(*args, unsigned long));
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
			words[i] = widen(word, va_arg(*args, unsigned long));
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
 * Calls the probe of @site, whose first words are set.  False: the call is none of the site's
 * format, and its arguments would be read wrongly.
 */
static __always_inline bool record(const struct marker_debug_site *site,
				   const struct marker_link *link, const char *fmt,
				   unsigned long words[MARKER_ARGS_MAX], va_list *args)
{
	unsigned int i;

	if (unlikely(fmt != site->source)) {
		this_cpu_inc(missed);
		return false;
	}
	if (unlikely(site->format.ntexts)) {
		record_texts(site, link, words, args);
		return true;
	}
	for (i = site->format.nprefix; i < site->format.nwords; i++)
		words[i] = widen(&site->format.words[i], va_arg(*args, unsigned long));
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

/*
 * Return the site if its probe takes the arguments from registers and the message is not printed.
 * NULL: the slow function has to handle the call.
 */
static __always_inline const struct marker_debug_site *
quick_site(const struct _ddebug *descriptor, const char *fmt, const struct marker_link **link)
{
	const struct marker_debug_site *site = marker_debug_site_of(descriptor);

	if (unlikely(!site || site->quick_source != fmt ||
		     descriptor->flags & _DPRINTK_FLAGS_PRINT))
		return NULL;
	*link = READ_ONCE(site->entry.link);
	return likely(*link) ? site : NULL;
}

#define WIDEN(i, value)		widen(&site->format.words[i], value)

static noinline void notrace divert_pr_slowly(struct _ddebug *descriptor, const char *fmt,
					      unsigned long a, unsigned long b, unsigned long c,
					      unsigned long d, const void *stack)
{
	const struct marker_debug_args passed = {
		{ (unsigned long)descriptor, (unsigned long)fmt, a, b, c, d }, stack,
	};
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	struct va_format vaf;
	va_list args;

	marker_debug_args_start(&args, &passed, 2);
	if (likely(!divert(descriptor, fmt, words, &args)))
		return;
	marker_debug_args_start(&args, &passed, 2);
	vaf = (struct va_format){ fmt, &args };
	__dynamic_pr_debug(descriptor, "%pV", &vaf);
}

static void notrace divert_pr(struct _ddebug *descriptor, const char *fmt, unsigned long a,
			      unsigned long b, unsigned long c, unsigned long d)
{
	const struct marker_link *link;
	const struct marker_debug_site *site = quick_site(descriptor, fmt, &link);

	if (likely(site))
		link->func(link, &site->entry, WIDEN(0, a), WIDEN(1, b), WIDEN(2, c), WIDEN(3, d));
	else
		divert_pr_slowly(descriptor, fmt, a, b, c, d, MARKER_DEBUG_STACK());
}

static __always_inline unsigned long driver_of(const struct device *dev)
{
	return (unsigned long)(dev ? dev_driver_string(dev) : "");
}

static __always_inline unsigned long name_of(const struct device *dev)
{
	return (unsigned long)(dev ? dev_name(dev) : "(NULL device *)");
}

static noinline void notrace divert_dev_slowly(struct _ddebug *descriptor,
					       const struct device *dev, const char *fmt,
					       unsigned long a, unsigned long b, unsigned long c,
					       const void *stack)
{
	const struct marker_debug_args passed = {
		{ (unsigned long)descriptor, (unsigned long)dev, (unsigned long)fmt, a, b, c },
		stack,
	};
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	struct va_format vaf;
	va_list args;

	words[0] = driver_of(dev);
	words[1] = name_of(dev);
	marker_debug_args_start(&args, &passed, 3);
	if (likely(!divert(descriptor, fmt, words, &args)))
		return;
	marker_debug_args_start(&args, &passed, 3);
	vaf = (struct va_format){ fmt, &args };
	__dynamic_dev_dbg(descriptor, dev, "%pV", &vaf);
}

static void notrace divert_dev(struct _ddebug *descriptor, const struct device *dev,
			       const char *fmt, unsigned long a, unsigned long b, unsigned long c)
{
	const struct marker_link *link;
	const struct marker_debug_site *site = quick_site(descriptor, fmt, &link);

	if (likely(site))
		link->func(link, &site->entry, driver_of(dev), name_of(dev), WIDEN(2, a),
			   WIDEN(3, b));
	else
		divert_dev_slowly(descriptor, dev, fmt, a, b, c, MARKER_DEBUG_STACK());
}

static __always_inline unsigned long interface_of(const struct net_device *dev)
{
	return (unsigned long)(dev ? netdev_name(dev) : "(NULL net_device)");
}

static noinline void notrace divert_netdev_slowly(struct _ddebug *descriptor,
						  const struct net_device *dev, const char *fmt,
						  unsigned long a, unsigned long b,
						  unsigned long c, const void *stack)
{
	const struct marker_debug_args passed = {
		{ (unsigned long)descriptor, (unsigned long)dev, (unsigned long)fmt, a, b, c },
		stack,
	};
	unsigned long words[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;
	struct va_format vaf;
	va_list args;

	words[0] = interface_of(dev);
	marker_debug_args_start(&args, &passed, 3);
	if (likely(!divert(descriptor, fmt, words, &args)))
		return;
	marker_debug_args_start(&args, &passed, 3);
	vaf = (struct va_format){ fmt, &args };
	__dynamic_netdev_dbg(descriptor, dev, "%pV", &vaf);
}

static void notrace divert_netdev(struct _ddebug *descriptor, const struct net_device *dev,
				  const char *fmt, unsigned long a, unsigned long b,
				  unsigned long c)
{
	const struct marker_link *link;
	const struct marker_debug_site *site = quick_site(descriptor, fmt, &link);

	if (likely(site))
		link->func(link, &site->entry, interface_of(dev), WIDEN(1, a), WIDEN(2, b),
			   WIDEN(3, c));
	else
		divert_netdev_slowly(descriptor, dev, fmt, a, b, c, MARKER_DEBUG_STACK());
}

const struct marker_debug_function marker_debug_functions[] = {
	{ "pr_debug", __dynamic_pr_debug, divert_pr, DEBUG_SLOT_SECOND, 0 },
	{ "dev_dbg", __dynamic_dev_dbg, divert_dev, DEBUG_SLOT_THIRD, 2 },
	{ "netdev_dbg", __dynamic_netdev_dbg, divert_netdev, DEBUG_SLOT_THIRD, 1 },
	{ "print_hex_dump_debug", print_hex_dump },
	{ }
};
