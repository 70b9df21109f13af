# SPDX-License-Identifier: GPL-2.0-only
# A program that prints what KernelShark shows. Included by the Makefile behind native.mk.

$(NATIVE)/kshark: tools/testing/guest/export/kshark.c
	@mkdir -p $(@D)
	$(NATIVE_CC) -O2 -Wall -Wextra -Werror -o $@ $< -lkshark
