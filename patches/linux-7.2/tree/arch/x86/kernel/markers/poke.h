/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_X86_MARKERS_POKE_H
#define _ASM_X86_MARKERS_POKE_H

#include <asm/text-patching.h>

#define marker_poke_add		smp_text_poke_batch_add
#define marker_poke_finish	smp_text_poke_batch_finish

#endif
