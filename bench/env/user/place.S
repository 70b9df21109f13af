/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linked first, this moves all code behind it by PLACE times three pages and 42
 * cache lines.  So places in lines stay the same, and what a CPU finds by other
 * bits of an address, such as its branch predictions, does not.
 */
	.text
	.skip	PLACE * (3 * 4096 + 21 * 128)
	.section .note.GNU-stack, "", %progbits
