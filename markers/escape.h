/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts of others, such as formats and conditions, in the tables of debugfs: whatever is in them,
 * a line is a line, and a tab ends a field.
 *
 * Newline, tab, carriage return and backslash are \n, \t, \r and \\; each other byte below 0x20,
 * and 0x7f, is a backslash and three octal digits.
 */
#ifndef MARKERS_ESCAPE_H
#define MARKERS_ESCAPE_H

#include <linux/types.h>

struct seq_file;

/**
 * marker_escape - prints a text so that it is part of one field
 * @m: the file
 * @text: the text to print
 *
 * Context: as seq_puts().
 */
void marker_escape(struct seq_file *m, const char *text);

/**
 * marker_escape_since - escape the text that was printed last, so that it is part of one field
 * @m: the file
 * @start: m->count before that text was printed
 *
 * Context: as seq_puts().
 */
void marker_escape_since(struct seq_file *m, size_t start);

#endif
