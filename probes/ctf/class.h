/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layout of an event in the ring.
 *
 * Markers of the same name, format, types and context are one class of events and
 * share a number.  When the first site of a class is connected, the class gets a plan:
 * the fields in the order of the arguments.  The format is not parsed again.  Not
 * here: which function stores an event (copy.h).
 *
 *	a header (packet.h), the context that the connection asked for (items.h),
 *	then the arguments, each in its own size; a text, at most MARKER_TEXT_MAX,
 *	with its final 0; bytes as they are; no gaps, also not between events
 *
 * Locks: the list of classes is its owner's (session.h).  A class does not
 * change once it is in the list, and lives until the session is closed.
 */
#ifndef PROBES_CTF_CLASS_H
#define PROBES_CTF_CLASS_H

#include "env.h"
#include "plan.h"
#include "marker_probe.h"
#include "ring.h"

struct marker_ctf_field {
	u8 type;			/* enum marker_type; STR: the text is stored */
	u8 size;			/* bytes in the event; 0: a text */
	bool is_bytes;			/* store bytes at the address */
	u8 base;			/* to be shown in: 8, 10, 16 */
	bool is_address;		/* a pointer that is not shown by %px */
};

struct marker_ctf_class {
	struct list_head list;
	struct hlist_node by_name;
	u32 hash;			/* of the name */
	const struct marker_ctf_ring *ring;	/* with the buffers of the events */
	u32 id;				/* from 0, in the order of the list */
	enum marker_ctf_form form;	/* of the headers, where the time does not need another */
	u32 types;			/* types, as in a marker_site */
	u32 context;			/* items.h */
	u8 nfields;
	bool fetches;			/* texts or bytes, from where an argument leads */
	bool varies;			/* has texts or stacks, so the lengths of events differ */
	u8 naddresses;
	u16 address_at[MARKER_ARGS_MAX];	/* offsets of addresses, unless @varies */
	u16 length;			/* length without the header, texts and stacks */
	struct marker_ctf_field fields[MARKER_ARGS_MAX];	/* fields of the arguments */
	const char *name, *format;	/* texts behind @args */
	const char *names;		/* of the arguments, with commas in between */
	struct marker_arg args[];	/* as many as fields */
};

struct marker_ctf_classes {
	struct list_head list;		/* in the order of their ids */
	unsigned int n;
	DECLARE_HASHTABLE(by_name, 10);
};

void marker_ctf_classes_init(struct marker_ctf_classes *classes);

/*
 * Find the class of a site's events with these items of the context in @classes, or add it.
 * ERR_PTR(): errors of marker_plan_make(), -ENOMEM. May sleep.
 */
struct marker_ctf_class *marker_ctf_class_get(struct marker_ctf_classes *classes,
					      const struct marker_site *site, u32 context,
					      const struct marker_ctf_ring *ring);

/* Free all classes, of which none is connected. */
void marker_ctf_class_free_all(struct marker_ctf_classes *classes);

#endif
