// SPDX-License-Identifier: GPL-2.0-only
/* The description of a session that is found in a dump of the memory. */
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/utsname.h>
#include "describe.h"
#include "dump.h"
#include "escape.h"
#include "session.h"

#define TEXT_MAX	(RING_PACKET - sizeof(struct marker_ctf_dump_page))

static struct marker_ctf_dump_page *add_page(struct marker_ctf_dump *dump)
{
	struct marker_ctf_dump_page *page = (void *)get_zeroed_page(GFP_KERNEL), *last;

	if (!page)
		return NULL;
	memcpy(page->magic, DUMP_MAGIC, sizeof(page->magic));
	page->id = dump->id;
	if (!list_empty(&dump->pages)) {
		last = list_last_entry(&dump->pages, struct marker_ctf_dump_page, list);
		page->number = last->number + 1;
	}
	list_add_tail(&page->list, &dump->pages);
	return page;
}

/* Add the text that @show writes about @what, to the last page or to a new one. */
static int add_text(struct marker_ctf_dump *dump,
		    void (*show)(struct seq_file *m, const void *what), const void *what)
{
	struct marker_ctf_dump_page *page = NULL;
	struct seq_file m = {};

	if (!list_empty(&dump->pages))
		page = list_last_entry(&dump->pages, struct marker_ctf_dump_page, list);
	for (;;) {
		if (page) {
			m.buf = page->text + page->length;
			m.size = TEXT_MAX - page->length;
			m.count = 0;
			show(&m, what);
			if (!seq_has_overflowed(&m)) {
				page->length += m.count;
				return 0;
			}
			if (!page->length)
				return -E2BIG;
		}
		page = add_page(dump);
		if (!page)
			return -ENOMEM;
	}
}

static void show_session(struct seq_file *m, const void *what)
{
	seq_puts(m, "hostname\t");
	marker_escape(m, init_utsname()->nodename);
	seq_printf(m, "\nrelease\t%s\n", init_utsname()->release);
	marker_ctf_describe_session(m, what);
	marker_ctf_describe_columns(m);
}

static void show_class(struct seq_file *m, const void *what)
{
	marker_ctf_describe_class(m, what);
}

int marker_ctf_dump_session(struct marker_ctf_dump *dump, struct marker_ctf_session *session)
{
	/* 0 is the id of packets that were read. */
	dump->id = get_random_u32() | 1;
	session->ring.id = dump->id;
	return add_text(dump, show_session, session);
}

int marker_ctf_dump_class(struct marker_ctf_dump *dump, const struct marker_ctf_class *event)
{
	return add_text(dump, show_class, event);
}

void marker_ctf_dump_free(struct marker_ctf_dump *dump)
{
	struct marker_ctf_dump_page *page, *next;

	list_for_each_entry_safe(page, next, &dump->pages, list) {
		/* A dump that is made later does not take it for one. */
		memset(page->magic, 0, sizeof(page->magic));
		free_page((unsigned long)page);
	}
	INIT_LIST_HEAD(&dump->pages);
}
