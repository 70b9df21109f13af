/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a probe is, to those who write one and to markers.ko.
 */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include "env.h"
#include "marker_args.h"

struct marker_probe_rows;

/*
 * A probe observes markers.  It is registered once, by the module that has
 * it, and may then be connected to any number of markers by its name.
 *
 * Each connection is one instance with data of its own: attach() makes it
 * from the words that follow the probe's name in the command (NULL when there
 * are none), detach() frees it.  Both may sleep.  Leave both NULL for a probe
 * without data.  When @func runs, its link->data is that data; with bind(),
 * each site runs the function and gets the data that bind() has chosen for it.
 *
 * @func runs in the context of the site, so possibly in an interrupt or NMI;
 * it must not sleep and must not be traced (notrace).  It is never called
 * after detach() has been, nor after marker_probe_unregister() has returned.
 */
struct marker_probe {
	const char *name;
	/* The format its sites must have; NULL: check() decides, or all do. */
	const char *format;
	marker_fn *func;
	/* 0, or a negative errno that refuses @site.  May be NULL. */
	int (*check)(void *data, const struct marker_site *site);
	void *(*attach)(const char *args);	/* ERR_PTR() refuses */
	void (*detach)(void *data);
	/*
	 * Chooses what @site calls and passes: @link comes filled with @func and
	 * the instance's data, and may be changed.  What it points to has to stay
	 * until detach(), and sites that are to share it get the same.  A site that
	 * is bound may still not be connected in the end.  0 or a negative errno,
	 * which refuses.  May sleep.  May be NULL.
	 */
	int (*bind)(void *data, const struct marker_site *site, struct marker_link *link);
	/* Events seen by this instance; NULL: it does not count. */
	u64 (*hits)(void *data);
	/* Gives what it has found so far, a row a call of marker_probe_row(); may be NULL. */
	void (*show)(void *data, struct marker_probe_rows *rows);
	/* A marker whose sites this instance needs besides; NULL: none. */
	const char *(*also)(void *data);
	struct module *owner;
	struct list_head list;		/* of the registry of probes */
};

/*
 * 0, -EINVAL for a probe without a name or a function or with blanks in its
 * name, -EEXIST when the name is taken.  May sleep.
 */
int marker_probe_register(struct marker_probe *probe);

/*
 * Disconnects it everywhere, and waits for its last call.  0; -EBUSY when a
 * gate cannot be closed (foreign bytes), -ENOMEM: then nothing is changed.  May
 * sleep.
 */
int marker_probe_disconnect(struct marker_probe *probe);

/* The same, and then it has no name any more. */
void marker_probe_unregister(struct marker_probe *probe);

/*
 * Whether @ip is in markers.ko, whose functions stand between a site and its probe
 * where there is a condition or a second probe.  False where the core is built in.
 * Context: any.
 */
bool marker_core_has(unsigned long ip);

/*
 * For show(): a row of the file `results`.  @what is the kind of row, which says
 * what the value is; the key tells the rows of a kind apart.  Neither has a tab
 * or a newline in it.
 */
__printf(4, 5) void marker_probe_row(struct marker_probe_rows *rows, const char *what, u64 value,
				     const char *key, ...);

/* The rest of a module that has one probe and nothing else. */
#define MARKER_PROBE_MODULE(_probe, _description)				\
static int __init _probe##_init(void)					\
{									\
	return marker_probe_register(&(_probe));				\
}									\
									\
static void __exit _probe##_exit(void)					\
{									\
	marker_probe_unregister(&(_probe));					\
}									\
									\
postcore_initcall(_probe##_init);	/* of a module: module_init() */ \
module_exit(_probe##_exit);						\
MODULE_DESCRIPTION(_description);					\
MODULE_LICENSE("GPL")

#endif
