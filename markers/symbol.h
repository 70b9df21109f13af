/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of a symbolic argument that have names, as its conversion lists them (plan.h).
 */
#ifndef MARKERS_SYMBOL_H
#define MARKERS_SYMBOL_H

#include "plan.h"

/**
 * struct marker_symbol - a named value of a symbolic argument
 * @name: the name, in the format; zeroed before the first call of marker_symbol_next()
 * @length: length of the name
 * @value: the value
 */
struct marker_symbol {
	const char *name;
	unsigned int length;
	s32 value;
};

/**
 * marker_symbol_next - find the next named value of a symbolic argument
 * @format: format of the site
 * @arg: the argument, with is_symbolic
 * @symbol: the value that was found last, zeroed before the first call; gets the next
 *
 * Context: any.
 * Return: false if there is no further value.
 */
bool marker_symbol_next(const char *format, const struct marker_arg *arg,
			struct marker_symbol *symbol);

/**
 * marker_symbol_print - print the name of a value
 * @format: format of the site
 * @arg: the argument, with is_symbolic
 * @value: value of the argument
 * @to: gets the name, or the value in hexadecimal if it has no name
 *
 * Context: any.
 */
void marker_symbol_print(const char *format, const struct marker_arg *arg, unsigned long value,
			 char to[MARKER_SYMBOL_MAX]);

#endif
