/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of debugfs `control`.
 *
 * Selectors:	NAME		marker name, with or without SYSTEM/, or a glob of names
 *		NAME@FUNCTION	the copies of a marker in one function
 *		module:GLOB	every site of a module
 *		FILE:LINE	the sites of a source line; FILE may be a tail
 *		site:ID		one site, by its number in debugfs `sites`
 *		debug:QUERY	debug sites, by words of dynamic debug
 *
 * Commands:	connect SELECTOR PROBE [ARGS]
 *		arm SELECTOR PROBE [ARGS]	as connect; no match is "pending"
 *		disconnect SELECTOR [PROBE]	SELECTOR as it was connected, or
 *						a glob over the connected ones,
 *						or id:N, one of `results`
 *		expose [SELECTOR...]		which markers are trace events
 *
 * ARGS are [first=N] [WORDS] [if CONDITION].  WORDS go to the probe.
 * CONDITION (filter.h) selects events.  "first=N" ends after N events: then
 * the gates close, and the probe's results stay until it is disconnected.
 */
#ifndef MARKERS_COMMAND_H
#define MARKERS_COMMAND_H

/*
 * Execute @commands, one per line or separated by ';' ('#' begins a
 * comment), as one transaction: all commands or, on an error, none.
 *
 * 0, or: -EAGAIN	no command was executed: probes of an earlier transaction still run
 *	  -ETIMEDOUT	all commands were executed, but disconnected probes still run;
 *			these and their connections are freed when they have returned
 *	  -EINVAL	unknown command, missing or surplus word, format mismatch
 *	  -ENOENT	no such marker, probe or connection
 *	  -EEXIST	a site would get the same probe with the same words twice
 *	  -ENOSPC	a site would get more than MARKER_HOOKS_MAX probes
 *	  -EBUSY	every site of a connection has foreign bytes; or a
 *			connection stays, because foreign bytes may lead to its probe,
 *			and all other changes were made
 *	  -EOPNOTSUPP	the gate of a site cannot be patched here
 *	  -ENOMEM
 * The log names the command and the reason.  May sleep; after a disconnect this
 * function waits for running probes, without marker_mutex.
 */
int marker_command_execute(const char *commands);

#endif
