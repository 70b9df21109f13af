/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of a command, and connections made of them. */
#ifndef MARKERS_TERMS_H
#define MARKERS_TERMS_H

#include "connection.h"
#include "env.h"

/* The next word of @text, which is moved behind it, or NULL. */
char *next_word(char **text);

/*
 * The connection, without any site; @args is what followed the probe's name, or
 * NULL.  ERR_PTR(): -ENOMEM, -ENOENT, -EINVAL, or attach()'s; the log says why.
 */
struct connection *connection_make(const char *select, struct probe *probe, char *args);
void connection_free(struct connection *conn);

/* Whether they would do the same at a site. */
bool terms_equal(const struct connection *a, const struct connection *b);

#endif
