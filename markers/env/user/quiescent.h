/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NATIVE_QUIESCENT_H
#define NATIVE_QUIESCENT_H

#include "env.h"

/*
 * A thread, 0 to 7, that runs sites while another one patches them: it calls
 * _pass() again and again, outside of any site, between _begin() and _end().
 * The main thread, which patches, need not.
 */
void quiescent_begin(unsigned int thread);
void quiescent_pass(unsigned int thread);
void quiescent_end(unsigned int thread);

#endif
