// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_site_code.ko: my_open() with every kind of gate, for the compiler and
 * objtool to have their say.  Not meant to be loaded; it would do nothing.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("the marked function of the 2006 thread, to be disassembled");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
