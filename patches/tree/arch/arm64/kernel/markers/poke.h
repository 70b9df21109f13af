/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_ARM64_MARKERS_POKE_H
#define _ASM_ARM64_MARKERS_POKE_H

/* What declares aarch64_insn_patch_text_nosync(). */
#include <asm/patching.h>

#endif
