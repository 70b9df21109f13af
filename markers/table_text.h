/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a table: closed and of a known kind while its module is known here,
 * as the compiler left it before and after.  Gates and calls whose bytes are not
 * ours are busy: they are left alone, and looked at again later.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_TABLE_TEXT_H
#define MARKERS_TABLE_TEXT_H

#include "env.h"
#include "patch.h"
#include "table.h"

/* Kind that the gates of MARK() become: NOP5, FLIP or PUN. */
extern enum marker_gate_kind marker_auto_kind;
/* Whether text is patched at all. */
extern bool marker_may_patch;

/* Gates and calls that have foreign bytes; while there are any, this module stays. */
extern unsigned int marker_table_text_busy;

/* The bytes of a gate or a call, whose flag this is, have been found to be foreign. */
void marker_table_text_set_busy(bool *busy);

/* Set the busy flags by the result of marker_patch_apply(). */
void marker_table_text_note(const struct marker_patch *patches, unsigned int n);

/*
 * Gives all gates their kind, closed, and leads all calls to their none.  @quiet:
 * none of this code runs yet.  0, -ENOMEM, or what marker_patch_apply() says: -EBUSY when
 * some have foreign bytes, and are busy now.
 */
int marker_table_text_prepare(struct marker_table *table, bool quiet);

/* As marker_table_text_prepare(), for busy gates and calls. */
void marker_table_text_retry(struct marker_table *table);

/* Puts the text back as it was built; does not return before. */
void marker_table_text_restore(struct marker_table *table);

/* int3 over the pads, which are no longer reached. */
void marker_table_text_clear_pads(struct marker_table *table);

/* The table goes: nothing of it is busy any more. */
void marker_table_text_forget(struct marker_table *table);

#endif
