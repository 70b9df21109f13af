/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROBES_CTF_TYPE_H
#define PROBES_CTF_TYPE_H

#include "env.h"
#include "marker_abi.h"

/* Bytes of an argument of that type, but texts. */
unsigned int marker_ctf_type_size(enum marker_type type);

/* Short names, as in debugfs: s8 ... u64 str ptr. */
const char *marker_ctf_type_name(enum marker_type type);

#endif
