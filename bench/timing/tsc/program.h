/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Common parts of the test programs: their arguments, and tables with the paper's figures
 * (Pentium III, 500 MHz, Linux, 2000) beside today's.
 */
#ifndef TSC_PROGRAM_H
#define TSC_PROGRAM_H

/* The number that text is, if it is one from min to max; else usage(). */
unsigned long program_argument(const char *text, unsigned long min, unsigned long max);

/* Prints the program's usage line, which it defines, and exits with 2. */
extern const char *const program_usage;
_Noreturn void program_exit_usage(void);

/* Prints "PROGRAM: WHAT: errno's text" and exits with 1. */
_Noreturn void program_exit_failed(const char *what);

/* Start the library, pin the program, and print the properties of the counter. */
void program_start(void);

/* The head of a table. */
void program_table(void);

/* Print one row from count samples, in ticks, and sort these. paper: 0 if the paper has none. */
void program_row(const char *name, double *samples, unsigned long count,
		 double paper_cycles, double paper_ns);

#endif
