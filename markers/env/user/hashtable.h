/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the kernel's linux/hashtable.h and linux/hash.h that the shared
 * files use.
 */
#ifndef NATIVE_HASHTABLE_H
#define NATIVE_HASHTABLE_H

#include "list.h"

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	if (node->next)
		node->next->pprev = &node->next;
	node->pprev = &head->first;
	head->first = node;
}

static inline unsigned long hash_long(unsigned long value, unsigned int bits)
{
	return value * 0x61c8864680b583ebul >> (64 - bits);
}

#define DEFINE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]
#define DECLARE_HASHTABLE(name, bits)	DEFINE_HASHTABLE(name, bits)
#define hash_init(table)		memset(table, 0, sizeof(table))
#define HASH_BITS(table)	((unsigned int)__builtin_ctzl(sizeof(table) / sizeof((table)[0])))
#define hash_add(table, node, key)						\
	hlist_add_head(node, &(table)[hash_long(key, HASH_BITS(table))])

static inline void hash_del(struct hlist_node *node)
{
	if (!node->pprev)
		return;
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
	node->pprev = NULL;
}

#define hlist_entry_safe(ptr, type, member)				\
({									\
	struct hlist_node *__node = (ptr);				\
									\
	__node ? container_of(__node, type, member) : NULL;		\
})

#define hash_for_each_possible(table, pos, member, key)			\
	for (pos = hlist_entry_safe((table)[hash_long(key, HASH_BITS(table))].first, \
				    typeof(*pos), member);		\
	     pos; pos = hlist_entry_safe(pos->member.next, typeof(*pos), member))

#endif
