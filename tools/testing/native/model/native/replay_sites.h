/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_REPLAY_SITES_H
#define MODEL_REPLAY_SITES_H

/* The functions with sites, which nothing calls. */
extern void (*const replay_sites[])(void);

#endif
