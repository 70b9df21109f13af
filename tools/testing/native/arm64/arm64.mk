# SPDX-License-Identifier: GPL-2.0-only
# Functions of arm64's gates that depend on their arguments only, in a program for this machine.  Included
# by the Makefile behind native.mk.

arm64 := tools/testing/native/arm64
$(NATIVE)/arm64_gates: $(arm64)/gates.c markers/arch/arm64/gates.c
$(NATIVE)/arm64_gates: $(wildcard markers/*.h markers/arch/arm64/*.h)
	@mkdir -p $(@D)
	$(NATIVE_CC) -D_GNU_SOURCE -O2 -Wall -Wextra -Wno-unused-parameter -Imarkers/env/user \
		-Imarkers -Imarkers/arch/x86 -o $@ $(filter %.c,$^)
