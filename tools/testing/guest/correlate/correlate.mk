# SPDX-License-Identifier: GPL-2.0-only
# A program that passes a marker of the kernel between two events of LTTng-UST. Included by the
# Makefile behind native.mk.

$(NATIVE)/pairs: tools/testing/guest/correlate/pairs.c
	@mkdir -p $(@D)
	$(NATIVE_CC) -O2 -Wall -Wextra -Werror -o $@ $< -llttng-ust -ldl
