/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make sessions readable from a dump of the memory, without symbols.  Packets are pages of
 * memory that begin with RING_MAGIC, and have the session's id beside the number of the CPU;
 * the description of the session is in pages of the format below, which have the id, too.
 * tools/lib/kmark/record/dump.py reads them.
 *
 * Locks: marker_ctf_session_lock.
 */
#ifndef PROBES_CTF_DUMP_H
#define PROBES_CTF_DUMP_H

#include "env.h"

struct marker_ctf_class;
struct marker_ctf_session;

#define DUMP_MAGIC	"marker-ctf-dump\n"

/* RING_PACKET bytes, at a multiple of that. */
struct marker_ctf_dump_page {
	u8 magic[16];
	u32 id;				/* id of the session */
	u32 number;			/* number of the page, from 0 */
	u32 length;			/* length of the text */
	u32 unused;
	struct list_head list;
	char text[];			/* describe.h: session, then classes, in whole lines */
};

struct marker_ctf_dump {
	struct list_head pages;
	u32 id;
};

/* Begins the description of a session, and gives it an id.  -ENOMEM. */
int marker_ctf_dump_session(struct marker_ctf_dump *dump, struct marker_ctf_session *session);

/* Adds a class to it.  -ENOMEM; -E2BIG if it does not fit into a page. */
int marker_ctf_dump_class(struct marker_ctf_dump *dump, const struct marker_ctf_class *event);

void marker_ctf_dump_free(struct marker_ctf_dump *dump);

#endif
