# SPDX-License-Identifier: GPL-2.0-only
# Readers of the operands of sites without code, of each architecture, in programs for this machine.
# Included by the Makefile behind native.mk.

operands := tools/testing/native/operands
operands-programs := $(addprefix $(NATIVE)/operands_,x86 arm64)
$(operands-programs): $(NATIVE)/operands_%: $(operands)/%.c markers/arch/%/operands.c markers/operand.c
$(operands-programs): $(wildcard markers/*.h $(operands)/*/linux/*.h)
	@mkdir -p $(@D)
	$(NATIVE_CC) -D_GNU_SOURCE -O2 -Wall -Wextra -Wno-unused-parameter -Imarkers/env/user \
		-I$(operands)/$(@F:operands_%=%) -Imarkers -Imarkers/arch/x86 -o $@ $(filter %.c,$^)
