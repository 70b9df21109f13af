// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file `debug_sites`: all debug sites of the kernel and of its modules. Nothing is cached:
 * each reading examines the descriptors and the code again.
 *
 * Locks: takes marker_mutex.
 */
#include <linux/seq_file.h>
#include "debug_calls.h"
#include "debug_event.h"
#include "debug_range.h"
#include "debug_site.h"
#include "escape.h"
#include "marker_abi.h"
#include "registry.h"

/*
 * Print the state of the site and the way of recording it, or the reason why it cannot be
 * recorded.
 */
static void show_state(struct seq_file *m, const struct marker_debug_range *range,
		       const struct _ddebug *descriptor)
{
	const struct marker_debug_site *site = marker_debug_site_of(descriptor);
	struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX];
	unsigned int n;
	const char *why;

	if (site) {
		seq_printf(m, "%s\t%s\t", site->keeps_key ? "open" : "closed",
			   site->by_kprobe ? "kprobe" : "call");
		return;
	}
	why = marker_debug_calls_find(range, descriptor, calls, &n);
	if (why && calls[0].other)
		seq_printf(m, "refused: %s: %ps()\t-\t", why, calls[0].other);
	else if (why)
		seq_printf(m, "refused: %s\t-\t", why);
	else
		seq_printf(m, "closed\t%s\t", n ? "call" : "kprobe");
}

static void show_site(struct seq_file *m, const struct marker_debug_range *range,
		      const struct marker_debug_entry *entry)
{
	const struct _ddebug *d = entry->descriptor;
	char name[MARKER_NAME_SIZE];

	marker_debug_name(entry, name, sizeof(name));
	marker_escape(m, name);
	seq_putc(m, '\t');
	show_state(m, range, d);
	seq_puts(m, d->flags & _DPRINTK_FLAGS_PRINT ? "p\t" : "-\t");
	marker_escape(m, d->filename);
	seq_printf(m, ":%u\t", d->lineno);
	marker_escape(m, d->format);
	seq_putc(m, '\n');
}

static int show_range(const struct marker_debug_range *range, void *data)
{
	unsigned int i;

	for (i = 0; i < range->n; i++) {
		show_site(data, range, &range->entries[i]);
		cond_resched();
	}
	return 0;
}

void marker_debug_list(struct seq_file *m)
{
	seq_puts(m, "#site\tstate\tby\tprinted\tsource\tformat\n");
	mutex_lock(&marker_mutex);
	marker_debug_range_visit(show_range, m);
	mutex_unlock(&marker_mutex);
	if (!IS_ENABLED(CONFIG_KALLSYMS_ALL))
		seq_puts(m, "#the kernel's own debug sites are not found: it has no CONFIG_KALLSYMS_ALL\n");
}
