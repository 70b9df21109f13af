/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NATIVE_SELF_H
#define NATIVE_SELF_H

/*
 * What loading markers.ko does, for this program: makes its text patchable and
 * takes its own section tables into the registry.  Ends the program, with a
 * message and status 1, where that fails.
 */
void self_register_sites(void);

#endif
