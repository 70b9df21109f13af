/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_KERNEL_DATA_H
#define MARKERS_KERNEL_DATA_H

/**
 * marker_kernel_data - find data of the kernel that is not exported
 * @name: name of the symbol
 *
 * register_kprobe() looks a name up, sets the address, and then refuses data.
 *
 * Context: May sleep.
 * Return: the address; NULL: no such symbol of data, or a kernel without kprobes.
 */
void *marker_kernel_data(const char *name);

#endif
