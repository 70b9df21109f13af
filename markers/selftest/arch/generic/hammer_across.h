/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions of a fixed length are aligned: no gate lies across anything. */
#ifndef MARKERS_SELFTEST_HAMMER_ACROSS_H
#define MARKERS_SELFTEST_HAMMER_ACROSS_H

#define HAMMERS_ACROSS(X)
#define HAMMER_PLACE(size)	do { } while (0)

#endif
