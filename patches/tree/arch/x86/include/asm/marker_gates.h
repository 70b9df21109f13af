/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_X86_MARKER_GATES_H
#define _ASM_X86_MARKER_GATES_H

#ifdef CONFIG_X86_64
#include <asm/marker_gates_64.h>
#else
#include <asm-generic/marker_gates.h>
#endif

#endif
