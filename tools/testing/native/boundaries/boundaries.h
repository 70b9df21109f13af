/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BOUNDARIES_H
#define BOUNDARIES_H

#include <stdbool.h>
#include "env.h"

struct marker_probe;

/* One line of TAP; @detail, which may be "", says of what. */
void check(bool good, const char *what, const char *detail);

/* texts.c: conditions, and events printed. */
void check_filters(void);
void check_prints(void);

/* forms.c: commands; @fired executes them, and returns how often the probe was called, or 1000. */
void check_forms(unsigned int (*fired)(const char *commands));

/* tables.c: section tables, selectors, and the bytes of gates and calls. */
void check_tables(void);
void check_selectors(void);
void check_refused_site(void);
void check_gates(void);

/* probes.c: others beside the one that is registered. */
void check_probes(const struct marker_probe *registered);

/* wild.c: section tables that would make the kernel fault. */
void check_wild_tables(void);

/* many.c: many markers, and selectors within a table. */
void check_many(void);

/* patches.c: the gate at @code; a byte that another writes over text. */
void check_patches(u8 *code);
void boundaries_write_byte(u8 *addr, u8 byte);

/* waits.c: bytes that become foreign during a transaction. */
void check_waits(void);

/* fire.c: runs every site of the program @times times. */
void boundaries_fire(unsigned int times);

/* fire.c: functions with one and with two copies of the sites "copied_...". */
void boundaries_one(void);
void boundaries_two(void);

#endif
