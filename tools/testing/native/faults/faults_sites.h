/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FAULTS_SITES_H
#define FAULTS_SITES_H

/* Runs every site once. */
void faults_fire(void);

#endif
