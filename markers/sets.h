/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of hooks that sites have, which share those that are equal.
 *
 * Locks: everything under markers_mutex.
 */
#ifndef MARKERS_SETS_H
#define MARKERS_SETS_H

#include "dispatch.h"
#include "env.h"

/* The set of these hooks, in this order, or NULL. */
struct link_set *marker_sets_find(struct hook *const *hooks, unsigned int n);

/* A new one, which no site has yet. */
void marker_sets_add(struct link_set *set);

/* @site has its next set now; that before stays until marker_sets_put_old(). */
void marker_sets_take_next(struct site *site);
void marker_sets_put_old(struct site *site);

/* Frees those that no site has. */
void marker_sets_free_unused(void);

#endif
