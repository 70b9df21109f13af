/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a table: its gates are closed and of a known kind while its module is registered,
 * and as the compiler left them before and after.  Gates and calls with foreign
 * bytes are busy: they are left alone, and read again later.
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
/* True if text is patched at all. */
extern bool marker_may_patch;

/* Gates and calls that have foreign bytes; while there are any, this module stays. */
extern unsigned int marker_table_text_busy;

/* Set the busy flag of a gate or a call with foreign bytes. */
void marker_table_text_set_busy(bool *busy);

/* Set the busy flags by the result of marker_patch_apply(). */
void marker_table_text_note(const struct marker_patch *patches, unsigned int n);

/*
 * Give all gates their kind, closed, and make all calls call their empty stubs. @quiet: none of
 * this code runs yet. 0, -ENOMEM, or the errors of marker_patch_apply(): -EBUSY if some have
 * foreign bytes, which are busy now.
 */
int marker_table_text_prepare(struct marker_table *table, bool quiet);

/* Like marker_table_text_prepare(), for busy gates and calls. */
void marker_table_text_retry(struct marker_table *table);

/*
 * Put the text back as the compiler made it, before markers.ko is unloaded.  -EBUSY while another
 * patcher has written a site: it may restore older bytes of ours, a jump to a pad or a call of a
 * probe; or -ENOMEM.  The log says so.
 */
int marker_table_text_restore(struct marker_table *table);

/* int3 over the pads, which are no longer reached. */
void marker_table_text_clear_pads(struct marker_table *table);

/* Forget a table that goes: none of its gates and calls is busy any more. */
void marker_table_text_forget(struct marker_table *table);

#endif
