// SPDX-License-Identifier: GPL-2.0-only
/* Check whether the messages of dynamic debug are enabled. */
#include "pr_debug.h"
#include "peer.h"

const char marker_bench_debug_format[] = "bench %d %p\n";

#define DESCRIPTOR(name)						\
	__aligned(8) __section("__dyndbg") = {				\
		.modname = KBUILD_MODNAME,				\
		.function = name,					\
		.filename = __FILE__,					\
		.format = marker_bench_debug_format,			\
		.lineno = __LINE__,					\
		.flags = _DPRINTK_FLAGS_DEFAULT,			\
		.class_id = _DPRINTK_CLASS_DFLT,			\
		_DPRINTK_KEY_INIT					\
	}

struct _ddebug marker_bench_pr_debug DESCRIPTOR("pr_debug");
struct _ddebug marker_bench_debug_site DESCRIPTOR("debug_site");

static bool is_printed(const struct _ddebug *descriptor)
{
	return descriptor->flags & _DPRINTK_FLAGS_PRINT;
}

static int find_printed(void)
{
	return is_printed(&marker_bench_pr_debug) ? 0 : -ENOENT;
}

static int find_connected(void)
{
	return static_key_enabled(&marker_bench_debug_site.key.dd_key_false) &&
	       !is_printed(&marker_bench_debug_site) ? 0 : -ENOENT;
}

static void leave(void)
{
}

const struct bench_peer marker_bench_peer_pr_debug = {
	.name = "pr_debug", .attach = find_printed, .detach = leave,
};

const struct bench_peer marker_bench_peer_debug_site = {
	.name = "debug_site", .attach = find_connected, .detach = leave,
};
