/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The context that a connection stores with each event: the items, and their order
 * in the event.  The items are those of markers/context.h, and two stacks:
 *
 *	the numbers, each in its own size, and the name of the thread in
 *	MARKER_COMM_MAX bytes, in the order of enum marker_context;
 *	then for each stack, kernel before user: u8 n, n times u64, innermost first
 */
#ifndef PROBES_CTF_ITEMS_H
#define PROBES_CTF_ITEMS_H

#include "context.h"
#include "env.h"

#define ITEM_KSTACK	BIT(MARKER_CONTEXTS)
#define ITEM_USTACK	BIT(MARKER_CONTEXTS + 1)
#define ITEM_STACKS	(ITEM_KSTACK | ITEM_USTACK)
#define ITEMS_MAX	(MARKER_CONTEXTS + 2)

/*
 * Parse @words: "context=NAME[,NAME]...", or NULL. @items gets a bit for each item. -EINVAL, with
 * the valid names in the log.
 */
int marker_ctf_items_parse(const char *words, u32 *items);

/* Name of the item of that number, less than ITEMS_MAX. */
const char *marker_ctf_item_name(unsigned int item);

/* Bytes in the event, without stacks. */
unsigned int marker_ctf_items_size(u32 items);

#endif
