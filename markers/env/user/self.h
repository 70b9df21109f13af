/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NATIVE_SELF_H
#define NATIVE_SELF_H

/*
 * Prepare this program as markers.ko prepares a module: make its text patchable and add
 * its section tables to the registry.  On failure the program ends with a message and status 1.
 */
void self_register_sites(void);

#endif
