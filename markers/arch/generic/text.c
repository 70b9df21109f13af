// SPDX-License-Identifier: GPL-2.0-only
/* An architecture whose text is not patched. */
#include "patch.h"
#include "text.h"

bool marker_text_write_twice;

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	return -EOPNOTSUPP;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
}

void marker_text_lock(void)
{
}

void marker_text_unlock(void)
{
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
}

unsigned int marker_text_sync(void)
{
	return 0;
}

void marker_text_quiesce(void)
{
}

void marker_text_report(const struct marker_patch *patch)
{
}

int marker_trap_init(void)
{
	return 0;
}

void marker_trap_exit(void)
{
}
