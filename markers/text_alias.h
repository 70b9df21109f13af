/* SPDX-License-Identifier: GPL-2.0-only */
/* A writable alias of module text, for text.c of architectures that write through one. */
#ifndef MARKERS_TEXT_ALIAS_H
#define MARKERS_TEXT_ALIAS_H

#include "text.h"

/* Map as marker_text_map() does, which may have to find locks first. */
int marker_text_alias_map(struct marker_text_alias *alias, const struct marker_patch *patches,
			  unsigned int n);

/* Return the writable address of the byte at @addr; the following bytes of the patch come next. */
void *marker_text_alias_at(struct marker_text_alias *alias, const u8 *addr);

#endif
