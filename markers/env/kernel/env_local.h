/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Headers for code with per-CPU data: local_t and per-CPU memory.  The native build has a file
 * of the same name.
 */
#ifndef MARKERS_ENV_LOCAL_H
#define MARKERS_ENV_LOCAL_H

#include <asm/local.h>
#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include "compat.h"

#endif
