/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 10,000 sites of the marker "bulk_site", for a module (bulk.c) and for a
 * program (tools/native/bulk.c).
 */
#ifndef MARKERS_SELFTEST_BULK_SITES_H
#define MARKERS_SELFTEST_BULK_SITES_H

#define BULK_SITES 10000

struct marker_probe;

/*
 * The probe "tally", which counts the events of all its connections. It has no data of its own, so
 * that nothing is allocated for each of 10,000 connections.
 */
extern struct marker_probe marker_bulk_probe;

/* Runs each site once. */
void marker_bulk_run_sites(void);

/* Run each site once, with no other thread, and return how many events the probe saw. */
unsigned long marker_bulk_count_events(void);

#endif
