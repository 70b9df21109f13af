/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_NOFAULT_H
#define MARKERS_NOFAULT_H

#include "env.h"

/**
 * marker_nofault_string - copy the characters at an address, up to a NUL
 * @word: the address, which may be invalid
 * @to: gets the characters, or "(null)", or "(efault)" if the first cannot be read
 * @size: bytes of @to, at least 1; longer texts are cut off
 *
 * Context: any, NMI included.
 * Return: the length without the NUL, which is always written.
 */
unsigned int marker_nofault_string(unsigned long word, char *to, unsigned int size);

/**
 * marker_nofault_strnlen - return the length of a text whose address is not trusted
 * @s: the address
 * @size: number of bytes to look at
 *
 * Context: any, NMI included.
 * Return: the length without the NUL; @size if the readable bytes contain no NUL.
 */
unsigned int marker_nofault_strnlen(const char *s, unsigned int size);

/**
 * marker_nofault_is_writable - return true if data can be written; writes the present value
 * @at: a word that can be read, and that no other CPU writes
 *
 * Context: any.
 */
bool marker_nofault_is_writable(unsigned long *at);

#endif
