/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of marker_systems.ko. */
#ifndef MARKERS_SELFTEST_SYSTEMS_H
#define MARKERS_SELFTEST_SYSTEMS_H

/* Execute the marker selftest/named. */
void marker_systems_named(int value);

#endif
