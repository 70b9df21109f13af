/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands, as debugfs `control` takes them.
 *
 * Selectors:	NAME		marker name, or a glob of names
 *		module:GLOB	every site of a module
 *		FILE:LINE	the sites of a source line; FILE may be a tail
 *		site:ID		one site, by its number in debugfs `sites`
 *
 * Commands:	connect SELECTOR PROBE [ARGS]
 *		arm SELECTOR PROBE [ARGS]	as connect; no match is "pending"
 *		disconnect SELECTOR [PROBE]	SELECTOR as it was connected, or
 *						a glob over the connected ones,
						or id:N, one of `results`
 *
 * ARGS are [first=N] [WORDS] [if CONDITION].  WORDS go to the probe.
 * CONDITION (filter.h): for events that match.  "first=N": for N events, then
 * the gates close; what the probe has found stays until it is disconnected.
 */
#ifndef MARKERS_COMMAND_H
#define MARKERS_COMMAND_H

/*
 * Carries out @commands, one a line or separated by ';' ('#' begins a
 * comment), as one transaction: all of it or, on an error, nothing.
 *
 * 0, or: -EAGAIN	nothing was done: probes of an earlier transaction still run
 *	  -ETIMEDOUT	all was done, but probes still run that were disconnected;
 *			they and their connections go when they have returned
 *	  -EINVAL	unknown command, missing or surplus word, format mismatch
 *	  -ENOENT	no such marker, probe or connection
 *	  -EEXIST	a site would get the same probe with the same words twice
 *	  -ENOSPC	a site would get more than MARKER_HOOKS_MAX probes
 *	  -EBUSY	the bytes of no site of a connection are ours; or a
 *			connection stays, since foreign bytes may lead to it,
 *			and the rest has been carried out
 *	  -EOPNOTSUPP	the gate of a site cannot be patched here
 *	  -ENOMEM
 * The log says which command, and why.  May sleep; when something is
 * disconnected, waits for the probes that run, without marker_mutex.
 */
int marker_command_execute(const char *commands);

#endif
