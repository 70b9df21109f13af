/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_SITES_H
#define FUZZ_SITES_H

/* Runs each site of the program once. */
void fuzz_sites_fire(void);

#endif
