// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module text is read-only, and the kernel does not export its function to write it. But the pages
 * of the text can be found and mapped once more, writable, at other addresses.
 *
 * Context: may sleep, but for marker_text_alias_at().
 */
#include <linux/vmalloc.h>
#include "patch.h"
#include "text_alias.h"

static int compare_page(const void *key, const void *elem)
{
	unsigned long a = *(const unsigned long *)key, b = *(const unsigned long *)elem;

	return a < b ? -1 : a > b;
}

/* The pages under the patches, ascending and each once; their number. */
static unsigned int list_pages(const struct marker_patch *patches, unsigned int n,
			       unsigned long *pages)
{
	unsigned int i, npages = 0, n_all;
	unsigned long page, last;

	for (i = 0; i < n; i++) {
		page = (unsigned long)patches[i].addr & PAGE_MASK;
		last = ((unsigned long)patches[i].addr + patches[i].len - 1) & PAGE_MASK;
		for (; page <= last; page += PAGE_SIZE)
			if (!npages || pages[npages - 1] != page)
				pages[npages++] = page;
	}
	sort(pages, npages, sizeof(*pages), compare_page, NULL);
	n_all = npages;
	for (i = 0, npages = 0; i < n_all; i++)
		if (!npages || pages[npages - 1] != pages[i])
			pages[npages++] = pages[i];
	return npages;
}

int marker_text_alias_map(struct marker_text_alias *alias, const struct marker_patch *patches,
			  unsigned int n)
{
	struct page **pages;
	unsigned int i;
	int ret = -ENOMEM;

	alias->pages = kvmalloc_array(2 * n, sizeof(*alias->pages), GFP_KERNEL);
	if (!alias->pages)
		return -ENOMEM;
	alias->npages = list_pages(patches, n, alias->pages);
	pages = kvmalloc_array(alias->npages, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		goto err_pages;
	for (i = 0; i < alias->npages; i++) {
		pages[i] = vmalloc_to_page((void *)alias->pages[i]);
		if (!pages[i]) {
			ret = -EFAULT;
			goto err_map;
		}
	}
	alias->last = 0;
	alias->map = vmap(pages, alias->npages, VM_MAP, PAGE_KERNEL);
	if (!alias->map)
		goto err_map;
	kvfree(pages);
	return 0;

err_map:
	kvfree(pages);
err_pages:
	kvfree(alias->pages);
	return ret;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
	vunmap(alias->map);
	kvfree(alias->pages);
}

void *marker_text_alias_at(struct marker_text_alias *alias, const u8 *addr)
{
	unsigned long page = (unsigned long)addr & PAGE_MASK;

	if (alias->pages[alias->last] != page)
		alias->last = (unsigned long *)bsearch(&page, alias->pages, alias->npages,
						       sizeof(page), compare_page) -
			      alias->pages;
	/* A patch over the end of a page has both pages, side by side. */
	return alias->map + alias->last * PAGE_SIZE + offset_in_page(addr);
}
