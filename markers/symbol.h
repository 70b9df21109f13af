/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of a symbolic argument that have names, as its conversion lists them (plan.h).
 */
#ifndef MARKERS_SYMBOL_H
#define MARKERS_SYMBOL_H

#include "plan.h"

/**
 * struct marker_symbol - a value of a symbolic argument that has a name
 * @name: where the name is in the format; zeroed before the first call of marker_symbol_next()
 * @length: of the name
 * @value: the value
 */
struct marker_symbol {
	const char *name;
	unsigned int length;
	s32 value;
};

/**
 * marker_symbol_next - finds the next value of a symbolic argument that has a name
 * @format: of the site
 * @arg: the argument, with is_symbolic
 * @symbol: the last one that was found, zeroed before the first call; gets the next
 *
 * Context: any.
 * Return: false when there is none any more.
 */
bool marker_symbol_next(const char *format, const struct marker_arg *arg,
			struct marker_symbol *symbol);

/**
 * marker_symbol_print - the name of a value
 * @format: of the site
 * @arg: the argument, with is_symbolic
 * @value: of the argument
 * @to: gets the name, or the value in hexadecimal where it has none
 *
 * Context: any.
 */
void marker_symbol_print(const char *format, const struct marker_arg *arg, unsigned long value,
			 char to[MARKER_SYMBOL_MAX]);

#endif
