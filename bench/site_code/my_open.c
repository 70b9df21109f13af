// SPDX-License-Identifier: GPL-2.0-only
/*
 * my_open(), the function whose disassembly and size the 2006 thread shows, marked with the kind
 * of gate that the build names: SITE_CODE_GATE. There is an object for each kind, and one without
 * a site; the difference of two objects is the size of a site. Nothing runs it; kmark report
 * disassemble and kmark report size read it.
 */
#include <linux/errno.h>
#include "bench_gates.h"
#include "marker_variants.h"
#include "xor.h"

#define MARK_MARK	MARK
#define MARK_NONE(...)	do { } while (0)

#define SITE_CODE_MARK	MARKER_CONCAT(MARK_, SITE_CODE_GATE)

struct inode;
struct file;

/* Without the endbr64 that IBT puts in front of a function: 2006 had none. */
#ifdef __CET__
#define NO_ENDBR	__attribute__((nocf_check))
#else
#define NO_ENDBR
#endif

static __used noinline notrace NO_ENDBR int my_open(struct inode *inode, struct file *file)
{
	SITE_CODE_MARK(subsys_mark1, "%d %p", 1, NULL);

	return -EPERM;
}
