/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Properties of the machine as a program sees them, and settings that a program makes.  Kernels
 * have bench/env/{kernel,um}/machine.h.
 */
#ifndef NATIVE_MACHINE_H
#define NATIVE_MACHINE_H

/* "unknown" if it is; the caller's until the next call. */
const char *machine_cpu(void);

/* The rate of the time stamp counter, measured in a tenth of a second. */
unsigned int machine_tsc_khz(void);

/*
 * Bind the program to a CPU; below 0: to the last allowed CPU, which is the least likely one to
 * get interrupts. Exit with 1 if that is impossible.
 */
void machine_pin_to_cpu(int cpu);

#endif
