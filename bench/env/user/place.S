/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linked first, this moves all code behind it by PLACE times three pages and 42 cache lines. So
 * the places in cache lines stay the same, and other bits of the addresses, which select branch
 * predictions for example, change.
 */
	.text
	.skip	PLACE * (3 * 4096 + 21 * 128)
	.section .note.GNU-stack, "", %progbits
