# SPDX-License-Identifier: GPL-2.0-only
# The kinds of gates that my_open.c is built with: MARK_$(kind) in marker.h and
# marker_variants.h, those of bench/gates/, and gaudet's xor in bench/arch/x86/xor.h.
site-code-measured := $(shell awk -F '\t' 'NF > 1 && $$1 != "gate" { print toupper($$1) }' \
		   $(dir $(lastword $(MAKEFILE_LIST)))../gates/gates.tsv)
site-code-gates := NONE GENERIC IMM NOP5 FLIP PUN MARK KEY XOR $(site-code-measured)
