// SPDX-License-Identifier: GPL-2.0-only
/* Names and sizes of the context items that a connection can store. */
#include "class.h"
#include "items.h"
#include "type.h"

const char *marker_ctf_item_name(unsigned int item)
{
	if (item < MARKER_CONTEXTS)
		return marker_context_kinds[item].name;
	return BIT(item) == ITEM_KSTACK ? "kstack" : "ustack";
}

static int find_item(const char *name, size_t len)
{
	int i;

	for (i = 0; i < ITEMS_MAX; i++)
		if (strlen(marker_ctf_item_name(i)) == len &&
		    !strncmp(marker_ctf_item_name(i), name, len))
			return i;
	return -EINVAL;
}

static int parse_list(const char *list, u32 *items)
{
	size_t len;
	int item;

	for (;;) {
		len = strcspn(list, ",");
		item = find_item(list, len);
		if (item < 0)
			return item;
		*items |= BIT(item);
		if (!list[len])
			return 0;
		list += len + 1;
	}
}

int marker_ctf_items_parse(const char *words, u32 *items)
{
	*items = 0;
	if (!words || (!strncmp(words, "context=", 8) && !parse_list(words + 8, items)))
		return 0;
	pr_err("ctf: \"%s\": want context=NAME[,NAME]... of %s kstack ustack; before it session=NAME\n",
	       words, MARKER_CONTEXT_NAMES);
	return -EINVAL;
}

unsigned int marker_ctf_items_size(u32 items)
{
	unsigned int i, size = 0;

	for (i = 0; i < MARKER_CONTEXTS; i++)
		if (items & BIT(i))
			size += i == MARKER_CONTEXT_COMM ? MARKER_COMM_MAX :
				marker_ctf_type_size(marker_context_kinds[i].type);
	return size;
}
