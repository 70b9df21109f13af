/* SPDX-License-Identifier: GPL-2.0-only */
/* Text for a reader; in a program the reader is a stream. */
#ifndef NATIVE_LINUX_SEQ_FILE_H
#define NATIVE_LINUX_SEQ_FILE_H

#include <stdio.h>

struct seq_file {
	FILE *file;
};

#define seq_printf(m, fmt, ...)	((void)fprintf((m)->file, fmt, ##__VA_ARGS__))
#define seq_putc(m, c)		((void)fputc(c, (m)->file))
#define seq_puts(m, s)		((void)fputs(s, (m)->file))

#endif
