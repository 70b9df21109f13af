/* SPDX-License-Identifier: GPL-2.0-only */
/* As the kernel lays out static keys and their entries on x86-64, for programs. */
#ifndef DEBUG_SITES_JUMP_LABEL_H
#define DEBUG_SITES_JUMP_LABEL_H

#include "env.h"

#define JUMP_TYPE_LINKED	2ul
#define JUMP_TYPE_MASK		3ul

struct jump_entry {
	s32 code, target;
	long key;
};

struct static_key {
	int enabled;
	unsigned long type;
};

static inline unsigned long jump_entry_code(const struct jump_entry *entry)
{
	return (unsigned long)&entry->code + entry->code;
}

static inline unsigned long jump_entry_target(const struct jump_entry *entry)
{
	return (unsigned long)&entry->target + entry->target;
}

static inline struct static_key *jump_entry_key(const struct jump_entry *entry)
{
	return (struct static_key *)((unsigned long)&entry->key + (entry->key & ~3l));
}

static inline bool jump_entry_is_branch(const struct jump_entry *entry)
{
	return entry->key & 1;
}

static inline bool jump_entry_is_init(const struct jump_entry *entry)
{
	return entry->key & 2;
}

#endif
