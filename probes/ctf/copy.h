/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that sites call to store an event. They write the fields that class.h describes
 * into the buffers of ring.h.
 */
#ifndef PROBES_CTF_COPY_H
#define PROBES_CTF_COPY_H

#include "class.h"

/**
 * marker_ctf_copy_find() - choose the function that the sites of a class call
 * @event: the class, whose fields are complete
 *
 * Context: any.
 * Return: the function for the sizes of the class's fields; or the function that interprets
 * the plan, if there is none for these sizes, if a field is a text, or if
 * there is other context to be stored than tid and pid.
 * The link has the class as its data.
 */
marker_fn *marker_ctf_copy_find(const struct marker_ctf_class *event);

#endif
