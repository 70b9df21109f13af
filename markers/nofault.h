/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_NOFAULT_H
#define MARKERS_NOFAULT_H

#include "env.h"

/**
 * marker_nofault_string - copies the characters at an address, up to a NUL
 * @word: the address, whatever it is
 * @to: gets them, or "(null)", or "(efault)" where not even the first can be read
 * @size: bytes of @to, at least 1; what does not fit is cut off
 *
 * Context: any, NMI included.
 * Return: the length without the NUL, which is always written.
 */
unsigned int marker_nofault_string(unsigned long word, char *to, unsigned int size);

/**
 * marker_nofault_strnlen - the length of a text whose address is not trusted
 * @s: the address
 * @size: how many bytes to look at
 *
 * Context: any, NMI included.
 * Return: the length without the NUL; @size when there is none in bytes that can be read.
 */
unsigned int marker_nofault_strnlen(const char *s, unsigned int size);

/**
 * marker_nofault_is_writable - whether data can be written; writes what is there
 * @at: a word that can be read, and that no other CPU writes
 *
 * Context: any.
 */
bool marker_nofault_is_writable(unsigned long *at);

#endif
