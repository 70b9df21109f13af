// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that debug sites call while they have a probe, in place of __dynamic_pr_debug()
 * and its relatives.
 *
 * Several sites may share a call, and dynamic debug may have enabled a site as well, so each
 * function passes on the messages that are to be printed.
 *
 * Context: as at the site, NMI included; nothing here is traced.
 */
#include "debug_call.h"
#include "debug_event.h"
#include "debug_take.h"

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

#define WIDEN(i, value)		marker_debug_widen(&site->format.words[i], value)

static noinline void notrace divert_pr_slowly(struct _ddebug *descriptor, const char *fmt,
					      unsigned long a, unsigned long b, unsigned long c,
					      unsigned long d, const void *stack)
{
	const struct marker_debug_args passed = {
		{ (unsigned long)descriptor, (unsigned long)fmt, a, b, c, d }, stack,
	};
	struct va_format vaf;
	va_list args;

	if (likely(!marker_debug_take_pr(&passed)))
		return;
	marker_debug_args_start(&args, &passed, 2);
	vaf = (struct va_format){ fmt, &args };
	__dynamic_pr_debug(descriptor, marker_debug_passed_on, &vaf);
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

static noinline void notrace divert_dev_slowly(struct _ddebug *descriptor,
					       const struct device *dev, const char *fmt,
					       unsigned long a, unsigned long b, unsigned long c,
					       const void *stack)
{
	const struct marker_debug_args passed = {
		{ (unsigned long)descriptor, (unsigned long)dev, (unsigned long)fmt, a, b, c },
		stack,
	};
	struct va_format vaf;
	va_list args;

	if (likely(!marker_debug_take_dev(&passed)))
		return;
	marker_debug_args_start(&args, &passed, 3);
	vaf = (struct va_format){ fmt, &args };
	__dynamic_dev_dbg(descriptor, dev, marker_debug_passed_on, &vaf);
}

static void notrace divert_dev(struct _ddebug *descriptor, const struct device *dev,
			       const char *fmt, unsigned long a, unsigned long b, unsigned long c)
{
	const struct marker_link *link;
	const struct marker_debug_site *site = quick_site(descriptor, fmt, &link);

	if (likely(site))
		link->func(link, &site->entry, marker_debug_driver_of(dev),
			   marker_debug_name_of(dev), WIDEN(2, a), WIDEN(3, b));
	else
		divert_dev_slowly(descriptor, dev, fmt, a, b, c, MARKER_DEBUG_STACK());
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
	struct va_format vaf;
	va_list args;

	if (likely(!marker_debug_take_netdev(&passed)))
		return;
	marker_debug_args_start(&args, &passed, 3);
	vaf = (struct va_format){ fmt, &args };
	__dynamic_netdev_dbg(descriptor, dev, marker_debug_passed_on, &vaf);
}

static void notrace divert_netdev(struct _ddebug *descriptor, const struct net_device *dev,
				  const char *fmt, unsigned long a, unsigned long b,
				  unsigned long c)
{
	const struct marker_link *link;
	const struct marker_debug_site *site = quick_site(descriptor, fmt, &link);

	if (likely(site))
		link->func(link, &site->entry, marker_debug_interface_of(dev), WIDEN(1, a),
			   WIDEN(2, b), WIDEN(3, c));
	else
		divert_netdev_slowly(descriptor, dev, fmt, a, b, c, MARKER_DEBUG_STACK());
}

const struct marker_debug_function marker_debug_functions[] = {
	{ __dynamic_pr_debug, divert_pr, marker_debug_take_pr, DEBUG_SLOT_SECOND, 0 },
	{ __dynamic_dev_dbg, divert_dev, marker_debug_take_dev, DEBUG_SLOT_THIRD, 2 },
	{ __dynamic_netdev_dbg, divert_netdev, marker_debug_take_netdev, DEBUG_SLOT_THIRD, 1 },
	{ }
};
