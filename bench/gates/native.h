/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of this folder in a program. */
#ifndef BENCH_GATES_NATIVE_H
#define BENCH_GATES_NATIVE_H

/* Registers them; comes before the sites.  Ends the program when they are refused. */
void marker_bench_gates_init(void);

#endif
