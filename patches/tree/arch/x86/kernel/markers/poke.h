/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_X86_MARKERS_POKE_H
#define _ASM_X86_MARKERS_POKE_H

#include <asm/text-patching.h>

#define marker_poke_add		text_poke_queue
#define marker_poke_finish	text_poke_finish

#endif
