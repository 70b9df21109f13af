/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_KERNEL_DATA_H
#define MARKERS_KERNEL_DATA_H

/**
 * marker_kernel_data - find data of the kernel that is not exported
 * @name: of the symbol
 *
 * register_kprobe() looks a name up, and then refuses what is no text.
 *
 * Context: May sleep.
 * Return: the address; NULL: there is no such symbol of data, or there are no kprobes.
 */
void *marker_kernel_data(const char *name);

#endif
