/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands that are carried out together: what each site will have (site->next,
 * in dispatch.h), which connections are new and which are dying.  It is committed
 * or dropped as a whole; of what is committed only busy gates are left out.
 *
 * Locks: everything under markers_mutex.
 */
#ifndef MARKERS_TRANSACTION_H
#define MARKERS_TRANSACTION_H

#include "connection.h"
#include "dispatch.h"
#include "env.h"

struct transaction {
	struct list_head sites;		/* of struct site, that change */
	struct list_head fresh;		/* of struct connection */
	bool reaps;			/* some connection is dying */
	struct patch_agreement agreement;
};

void marker_transaction_begin(struct transaction *t);

/*
 * Drops it if @ret, the result of its commands, is an error; else commits it.
 * @ret, or what dispatch_commit() says.  -EBUSY, and nothing is changed: a new
 * connection would get no site; or the rest is done, and a connection stays.
 */
int marker_transaction_finish(struct transaction *t, int ret);

#endif
