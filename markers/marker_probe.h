/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface between probes and markers.ko.
 */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include "env.h"
#include "marker_args.h"

struct marker_probe_rows;
struct seq_file;

/**
 * struct marker_probe - function that observes markers, and its properties
 * @name: name in commands; no blanks, ';' or '#'
 * @format: the format that its sites must have; NULL: @check decides, or any format
 * @func: function that sites call.  Runs in the context of the site, so possibly in an interrupt
 *	or NMI; must not sleep and must not be traced (notrace).  Never called after
 *	@detach has been, nor after marker_probe_unregister() has returned.
 * @leaf: @func cannot call itself: @func and the functions that it calls have no marker, or
 *	these functions prevent it, as the kernel's tracing does.  Then sites call @func
 *	directly.  Otherwise an event that occurs while such a probe runs, in the
 *	same task, softirq, interrupt or NMI, is refused and counted (the row "nested" in
 *	the file `results`), and @func runs with preemption disabled.
 * @check: 0, or a negative errno that refuses the site.  May sleep.  May be NULL.
 * @attach: makes the data of a connection from the words that follow the probe's name in
 *	the command, NULL for none; ERR_PTR() refuses.  May sleep.  NULL: no data.
 * @detach: frees what @attach has made.  May sleep.
 * @bind: chooses the function and data of a site: on entry the link has @func and the
 *	connection's data, and @bind may change it.  The data must stay valid until
 *	@detach, and sites may share them.  A site that is bound may
 *	still not be connected in the end.  0, or a negative errno that refuses.  May
 *	sleep.  May be NULL.
 * @hits: returns the number of events of a connection; NULL: not counted
 * @show: reports the results of a connection, one row per call of marker_probe_row();
 *	may be NULL
 * @settle: called after markers came or went, after connections were made or ended by
 *	commands, and after the rule of marker_exposed_visit() has changed; without any lock of
 *	markers.ko, so that it may wait for locks that @bind and @detach must not take.
 *	Several calls may run at a time.  May sleep.  May be NULL.
 * @stats: adds lines to the file `stats`.  May sleep.  May be NULL.
 * @also: the name, as marker_name_is() compares it, of markers whose sites a connection needs
 *	besides those that are selected; may return NULL or be NULL
 * @owner: the module, which stays while the probe is connected
 * @list: list of all probes; belongs to markers.ko
 *
 * A probe is registered once, by the module that contains it, and may then be connected to
 * any number of markers by its name.  Each connection has data of its own: @data of the
 * functions here, and of the link that @func gets.
 */
struct marker_probe {
	const char *name;
	const char *format;
	marker_fn *func;
	bool leaf;
	int (*check)(void *data, const struct marker_site *site);
	void *(*attach)(const char *args);
	void (*detach)(void *data);
	int (*bind)(void *data, const struct marker_site *site, struct marker_link *link);
	u64 (*hits)(void *data);
	void (*show)(void *data, struct marker_probe_rows *rows);
	const char *(*also)(void *data);
	void (*settle)(void);
	void (*stats)(struct seq_file *m);
	struct module *owner;
	struct list_head list;
};

/*
 * Function of a probe that only counts events: adds 1 to the number of this CPU in the data of the
 * connection, a u64 __percpu.  A site that has one other probe counts without a call, and before
 * that probe.  Context: any.
 */
marker_fn marker_count;

/**
 * marker_probe_register - lets a probe be connected
 * @probe: the probe; stays until it is unregistered
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for a probe without a name or a function or with blanks in its
 * name; -EEXIST when the name is taken.
 */
int marker_probe_register(struct marker_probe *probe);

/**
 * marker_probe_disconnect - disconnects a probe everywhere, and waits for its last call
 * @probe: the probe
 *
 * Context: may sleep, as long as a probe runs.
 * Return: 0; -EBUSY when the bytes of a gate or a call that leads to it are not ours,
 * and -ENOMEM: then it stays connected there.
 */
int marker_probe_disconnect(struct marker_probe *probe);

/**
 * marker_probe_unregister - disconnects a probe everywhere, and forgets its name
 * @probe: the probe
 *
 * Context: may sleep, as long as a probe runs.
 */
void marker_probe_unregister(struct marker_probe *probe);

/**
 * marker_probe_connect - connects a registered probe to the sites of a marker
 * @probe: the probe; its module stays meanwhile
 * @marker: name of the marker, SYSTEM/NAME, or another selector; its sites may come later
 * @args: the words that the probe gets, as in a command; NULL for none
 *
 * Context: may sleep, also until the probes of an earlier transaction have returned.
 * Return: 0, also if this connection exists already; -EAGAIN when an earlier transaction has not
 * ended after the time that markers.ko waits; the errors of the command "connect", but no
 * error when the marker has no site.
 */
int marker_probe_connect(struct marker_probe *probe, const char *marker, const char *args);

/**
 * marker_probe_disconnect_if - ends some connections of a probe
 * @probe: the probe; its module stays meanwhile
 * @ends: returns true if the connection with the data that @attach has made ends.  Called with
 *	marker_mutex held; may sleep.
 * @what: second argument of @ends
 *
 * All connections end in one transaction; @ends is called after its begin.
 *
 * Context: may sleep, as long as a probe runs.
 * Return: 0, or the errors of the command "disconnect"; -EAGAIN as above.
 */
int marker_probe_disconnect_if(struct marker_probe *probe,
			       bool (*ends)(const void *data, const void *what), const void *what);

/**
 * marker_exposed_visit - visit the markers that are to be trace events
 * @visit: called with a site of each marker, for some markers more than once; may sleep
 *
 * The command "expose" and the parameter of that name select these markers.
 *
 * Context: may sleep; holds marker_mutex around the calls.
 */
void marker_exposed_visit(void (*visit)(const struct marker_site *site));

/**
 * marker_name_is - whether a word is the name of a marker
 * @name: name of the marker, SYSTEM/NAME
 * @word: SYSTEM/NAME, or NAME for the markers of that name in all systems but those of debug
 *	sites
 *
 * Context: any.
 * Return: whether.
 */
bool marker_name_is(const char *name, const char *word);

/**
 * marker_core_has - whether an address is in markers.ko
 * @ip: the address
 *
 * Functions of the core stand between a site and its probe where there is a condition
 * or a second probe; a stack trace leaves them out.
 *
 * Context: any.
 * Return: whether.
 */
bool marker_core_has(unsigned long ip);

/**
 * marker_probe_row - add a row to the file `results`
 * @rows: second argument of @show
 * @what: the kind of row, which says what the value is; no tab, no newline
 * @value: the value
 * @key: format of a text that distinguishes the rows of a kind; no tab, no newline
 *
 * Context: only within @show, which may sleep.
 */
__printf(4, 5) void marker_probe_row(struct marker_probe_rows *rows, const char *what, u64 value,
				     const char *key, ...);

/**
 * MARKER_PROBE_MODULE - the rest of a module that has one probe and nothing else
 * @_probe: the struct marker_probe
 * @_description: of the module
 */
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
postcore_initcall(_probe##_init);	/* in a module: module_init() */ \
module_exit(_probe##_exit);						\
MODULE_DESCRIPTION(_description);					\
MODULE_LICENSE("GPL")

#endif
