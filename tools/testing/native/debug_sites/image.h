/* SPDX-License-Identifier: GPL-2.0-only */
/* A module of the kernel, laid out in a program as the kernel lays it out. */
#ifndef DEBUG_SITES_IMAGE_H
#define DEBUG_SITES_IMAGE_H

#include <linux/dynamic_debug.h>

/**
 * struct image - a module
 * @memory: loaded part of the module, below 2 GiB
 * @size: bytes of @memory
 * @sites: the descriptors of its debug sites
 * @nsites: how many
 * @jumps: jump table of the module, sorted by the keys
 * @njumps: entries of @jumps
 */
struct image {
	u8 *memory;
	size_t size;
	struct _ddebug *sites;
	unsigned int nsites;
	struct jump_entry *jumps;
	unsigned int njumps;
};

/**
 * image_load - read a module
 * @image: receives the module
 * @path: of the .ko file, for x86-64
 * @find: returns the address of a symbol that the module does not define
 *
 * Return: NULL, or what is wrong with the file: a text for people.
 */
const char *image_load(struct image *image, const char *path,
		       const void *(*find)(const char *name));

void image_free(struct image *image);

#endif
