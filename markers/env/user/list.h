/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the kernel's linux/list.h that the shared files use: a ring of
 * nodes inside the listed structures, with a node of its own as head.
 */
#ifndef NATIVE_LIST_H
#define NATIVE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define container_of(ptr, type, member)					\
	((type *)((char *)(ptr) - offsetof(type, member)))

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline void list_add_tail(struct list_head *node, struct list_head *before)
{
	node->next = before;
	node->prev = before->prev;
	before->prev->next = node;
	before->prev = node;
}

static inline void list_add(struct list_head *node, struct list_head *after)
{
	list_add_tail(node, after->next);
}

static inline void list_del_init(struct list_head *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	INIT_LIST_HEAD(node);
}

/* The kernel poisons the node; here it becomes a ring of its own. */
static inline void list_del(struct list_head *node)
{
	list_del_init(node);
}

static inline void list_move(struct list_head *node, struct list_head *after)
{
	list_del(node);
	list_add(node, after);
}

static inline void list_move_tail(struct list_head *node, struct list_head *before)
{
	list_del(node);
	list_add_tail(node, before);
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline bool list_is_singular(const struct list_head *head)
{
	return head->next != head && head->next == head->prev;
}

static inline bool list_is_last(const struct list_head *node, const struct list_head *head)
{
	return node->next == head;
}

/* Moves all of @from to the end of @to, and leaves @from empty. */
static inline void list_splice_tail_init(struct list_head *from, struct list_head *to)
{
	while (!list_empty(from))
		list_move_tail(from->next, to);
}

/* Moves all of @from to the front of @to, and leaves @from empty. */
static inline void list_splice_init(struct list_head *from, struct list_head *to)
{
	while (!list_empty(from))
		list_move(from->prev, to);
}

/* The kernel leaves @from as it was; here it is empty afterwards. */
#define list_splice_tail	list_splice_tail_init
#define list_splice		list_splice_init

#define list_entry		container_of
#define list_first_entry(head, type, member)				\
	list_entry((head)->next, type, member)
#define list_last_entry(head, type, member)				\
	list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member)			\
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(pos, member)					\
	list_entry((pos)->member.next, typeof(*(pos)), member)
#define list_prev_entry(pos, member)					\
	list_entry((pos)->member.prev, typeof(*(pos)), member)
#define list_entry_is_head(pos, head, member)	(&(pos)->member == (head))

#define list_for_each(node, head)					\
	for (node = (head)->next; node != (head); node = node->next)

#define list_for_each_entry(pos, head, member)				\
	for (pos = list_first_entry(head, typeof(*pos), member);	\
	     !list_entry_is_head(pos, head, member);			\
	     pos = list_next_entry(pos, member))

#define list_for_each_entry_reverse(pos, head, member)			\
	for (pos = list_last_entry(head, typeof(*pos), member);		\
	     !list_entry_is_head(pos, head, member);			\
	     pos = list_prev_entry(pos, member))

#define list_for_each_entry_safe(pos, next, head, member)		\
	for (pos = list_first_entry(head, typeof(*pos), member),	\
	     next = list_next_entry(pos, member);			\
	     !list_entry_is_head(pos, head, member);			\
	     pos = next, next = list_next_entry(next, member))

#define list_for_each_entry_safe_reverse(pos, next, head, member)	\
	for (pos = list_last_entry(head, typeof(*pos), member),		\
	     next = list_prev_entry(pos, member);			\
	     !list_entry_is_head(pos, head, member);			\
	     pos = next, next = list_prev_entry(next, member))

#endif
