/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounds of the section tables of this module or program (markers.lds). */
#ifndef BENCH_TABLES_H
#define BENCH_TABLES_H

#include "marker_abi.h"

extern struct marker_site __marker_sites[], __marker_sites_end[];
extern struct marker_gate __marker_gates[], __marker_gates_end[];
extern struct marker_call __marker_calls[], __marker_calls_end[];

#endif
