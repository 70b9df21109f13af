# SPDX-License-Identifier: GPL-2.0-only
# The kinds of gates that my_open.c is built with: MARK_$(kind) in marker.h, and
# gaudet's xor in bench/arch/x86/xor.h.
sample-gates := NONE GENERIC IMM NOP5 FLIP PUN MARK JCC JCC8 FLIP8 NOP2 NOP14 NOP23 \
		KEY CALL XOR
