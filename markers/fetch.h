/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The texts of an event, read at the site. Pointers of a site may be invalid: an unreadable
 * address and an address of user space become "(efault)", NULL becomes "(null)", as in printk().
 */
#ifndef MARKERS_FETCH_H
#define MARKERS_FETCH_H

#include "plan.h"

/* Bytes of the longest text of an argument, with its NUL; a longer one is cut. */
#define MARKER_TEXT_MAX 256u

/* Attribute of an array that is written before it is read: the compiler need not clear it. */
#if defined(__has_attribute) && __has_attribute(__uninitialized__)
#define MARKER_NOT_CLEARED	__attribute__((__uninitialized__))
#else
#define MARKER_NOT_CLEARED
#endif

/**
 * marker_fetch_text - reads the text of an argument
 * @arg: an argument with marker_arg_has_text()
 * @words: the arguments of the site, a machine word each
 * @to: gets the text
 * @size: bytes of @to, at least 1; no more than MARKER_TEXT_MAX are written
 *
 * Context: any, NMI included.
 * Return: the length without the NUL, which is always written.
 */
unsigned int marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
			       char *to, unsigned int size);

/**
 * marker_fetch_bytes - reads the bytes of an argument
 * @arg: an argument that is a MARKER_ROLE_BYTES
 * @words: the arguments of the site, a machine word each
 * @to: gets @arg->width bytes, at most MARKER_BYTES_MAX; 0 where they cannot be read
 *
 * Context: any, NMI included.
 * Return: 0, or -EFAULT: they cannot be read.
 */
int marker_fetch_bytes(const struct marker_arg *arg, const unsigned long *words, u8 *to);

/**
 * typedef marker_text_fn - write the text of an argument
 * @arg: an argument that has a text
 * @words: the arguments of the site, a machine word each
 * @to: receives the text and its final 0
 * @size: bytes at @to
 *
 * marker_fetch_text() reads the text where the argument points; a reader of records has another
 * function, because the record contains the text.
 *
 * Context: any, NMI included.
 * Return: the length of the text.
 */
typedef unsigned int marker_text_fn(const struct marker_arg *arg, const unsigned long *words,
				    char *to, unsigned int size);

/**
 * marker_print - write an event on one line, otherwise as printk() would
 * @site: the site: its format and its types are used
 * @words: arguments of the site, a machine word each
 * @fetch: gives the texts of arguments; marker_fetch_text() where the event happens
 * @to: gets the text
 * @size: bytes of @to, at least 1; a width or precision that is an argument is cut to this
 *
 * A control character is a blank where the format has it, nothing at the end of the format,
 * and an escape, such as \x0a, where an argument has it.
 *
 * Context: any, NMI included, if @fetch allows it.
 * Return: the length without the NUL, which is always written.
 */
unsigned int marker_print(const struct marker_site *site, const unsigned long *words,
			  marker_text_fn *fetch, char *to, unsigned int size);

#endif
