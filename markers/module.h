/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's modules, as they come and go. */
#ifndef MARKERS_MODULE_H
#define MARKERS_MODULE_H

/* Errors of register_module_notifier(). */
int modules_init(void);
void modules_exit(void);

#endif
