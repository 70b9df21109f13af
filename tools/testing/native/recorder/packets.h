/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RECORDER_PACKETS_H
#define RECORDER_PACKETS_H

#include "command.h"
#include "ctf/packet.h"
#include "ctf/ring.h"
#include "recorder.h"

#define MARKERS		6u		/* number of those that fire() fires */
#define EVENTS_MAX	100000u

/* Events that were read of a session, and what is expected of it. */
struct seen {
	bool raw;
	unsigned long events, packets, lost;
	u64 hash;			/* of RECORDER_ADDRESS, once it is known */
	u64 number[RECORDER_CPUS], end[RECORDER_CPUS], lost_of[RECORDER_CPUS];
	const char *wrong;
	struct {
		u32 id;
		char marker[64];
	} classes[512];
	unsigned int nclasses;
};

extern struct seen seen;

/* Forget what was read. @raw: the session stores addresses as they are. */
void forget(bool raw);

/* Note that something in a packet is wrong. */
void wrong(const char *what);

/* Check that a packet shows no address, and that its bytes behind the @used ones are zero. */
void see_bytes(const u8 *packet, size_t used);

/* Check the fields of an event of @marker at @at, and return their end. */
const u8 *pass_fields(const u8 *at, const char *marker, u64 time);

/* Return the name of the marker of a class of the default session. */
const char *marker_of(u32 id);

/* Read packets of a file, @most at once, by @reads calls of read(); 0: until there are no more. */
void read_file(const char *path, unsigned int most, unsigned int reads);

/* Sums over the CPUs. */
struct counts {
	unsigned long recorded, lost, overwritten;
};

struct counts counts(void);

/* Fire each marker @times times from number @first on, on both CPUs; return the next number. */
unsigned int fire_many(unsigned int first, unsigned int times);

/* Disconnect everything and close the default session. */
void end_session(void);

/* contexts.c: connect @marker with each set of items of the context, and fire it. */
void connect_each_context(const char *marker, const char *session);

#endif
