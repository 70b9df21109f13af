/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that sites call to store an event.  They write into the buffers of
 * ring.h what class.h describes.
 */
#ifndef PROBES_CTF_COPY_H
#define PROBES_CTF_COPY_H

#include "class.h"

/**
 * marker_ctf_copy_find() - choose what the sites of a class call
 * @event: the class, whose fields are complete
 *
 * Context: any.
 * Return: the function made for the sizes of the class's fields; one that goes
 * by the plan when there is none for these sizes, when a field is a text, or when
 * there is context to be stored.
 * The link that it is called with has the class as its data.
 */
marker_fn *marker_ctf_copy_find(const struct marker_ctf_class *event);

#endif
