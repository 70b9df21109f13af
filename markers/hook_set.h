/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of hooks that sites have, which share those that are equal.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_SETS_H
#define MARKERS_SETS_H

#include "dispatch.h"
#include "env.h"

/* The set of these hooks, in this order, or NULL. */
struct marker_hook_set *marker_hook_set_find(struct marker_hook *const *hooks, unsigned int n);

/* A new one, which no site has yet. */
void marker_hook_set_add(struct marker_hook_set *set);

/* @site has its next set now; that before stays until marker_hook_set_put_old(). */
void marker_hook_set_take_next(struct marker_site_state *site);
void marker_hook_set_put_old(struct marker_site_state *site);

/* Frees those that no site has. */
void marker_hook_set_free_unused(void);

#endif
