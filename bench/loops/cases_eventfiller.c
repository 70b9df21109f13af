// SPDX-License-Identifier: GPL-2.0-only
/*
 * One complete event, and 256 additions and NOPs, which do not wait for each other. They
 * fill the core for longer than a read of the counter takes, so the instructions of
 * an event cannot run in the time that the read needs anyway, as they do in the
 * loop "event".
 */
#define BENCH_SHAPE		eventfiller
#define BENCH_SITES		1
#define BENCH_EVENT_WORK()	BENCH_8_TIMES(LOOP_FILLER())

#include "cases_event.c"
