// SPDX-License-Identifier: GPL-2.0-only
/* An architecture whose text is not patched. */
#include "patch.h"
#include "text.h"

bool text_settle;

int text_map(struct text_alias *alias, const struct patch *patches, unsigned int n)
{
	return -EOPNOTSUPP;
}

void text_unmap(struct text_alias *alias)
{
}

void marker_text_lock(void)
{
}

void marker_text_unlock(void)
{
}

void text_write(struct text_alias *alias, u8 *addr, const u8 *bytes,
		unsigned int len)
{
}

unsigned int text_sync(void)
{
	return 0;
}

void text_quiesce(void)
{
}

void text_report(const struct patch *patch)
{
}

int text_init(void)
{
	return 0;
}

void text_exit(void)
{
}
