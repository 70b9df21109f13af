/* SPDX-License-Identifier: GPL-2.0-only */
/* A counter that the program sets. */
#ifndef PROBES_COUNTER_H
#define PROBES_COUNTER_H

#include "env_local.h"

#define marker_counter_read()	recorder_time()
#define marker_counter_khz()	2345678u

#endif
