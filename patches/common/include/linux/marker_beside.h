/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For markers beside tracepoints: their events are in the system "markers", because the system
 * of the tracepoint has an event of that name.
 */
#ifndef _LINUX_MARKER_BESIDE_H
#define _LINUX_MARKER_BESIDE_H

#define MARK_SYSTEM markers
#include <linux/marker.h>

#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
int syscall_regfunc(void);
void syscall_unregfunc(void);

#define MARKER_OF_SYSCALLS						\
	.tp.regfunc = syscall_regfunc, .tp.unregfunc = syscall_unregfunc,
#else
#define MARKER_OF_SYSCALLS
#endif

/**
 * define MARK_SYSCALL - a marker behind the test of the work flag of system calls
 * @name: as of MARK()
 * @fmt: as of MARK()
 * @...: as of MARK()
 *
 * The flag is set in all tasks while the event is enabled, as for those tracepoints.
 */
#define MARK_SYSCALL(name, fmt, ...)					\
	MARKER(#name, __tracepoint_mark_##name, NULL, (MARKER_OF_SYSCALLS), fmt, ##__VA_ARGS__)

#endif
