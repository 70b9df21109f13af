// SPDX-License-Identifier: GPL-2.0-only
/* The size, sign and name of each type of argument. */
#include "type.h"

static const struct {
	const char *name;
	u8 size;
} types[] = {
	[MARKER_TYPE_S8] = { "s8", 1 }, [MARKER_TYPE_U8] = { "u8", 1 },
	[MARKER_TYPE_S16] = { "s16", 2 }, [MARKER_TYPE_U16] = { "u16", 2 },
	[MARKER_TYPE_S32] = { "s32", 4 }, [MARKER_TYPE_U32] = { "u32", 4 },
	[MARKER_TYPE_S64] = { "s64", 8 }, [MARKER_TYPE_U64] = { "u64", 8 },
	[MARKER_TYPE_STR] = { "str", 0 }, [MARKER_TYPE_PTR] = { "ptr", 8 },
};

unsigned int marker_ctf_type_size(enum marker_type type)
{
	return types[type].size;
}

const char *marker_ctf_type_name(enum marker_type type)
{
	return types[type].name;
}
