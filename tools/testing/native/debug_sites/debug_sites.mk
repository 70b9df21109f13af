# SPDX-License-Identifier: GPL-2.0-only
# The program that says what can be recorded of the debug sites of modules for x86-64.  Included by the
# Makefile behind native.mk.

debug-sites := tools/testing/native/debug_sites
$(NATIVE)/debug_sites: $(debug-sites)/debug_sites.c $(debug-sites)/image.c markers/debug_call.c \
		       markers/debug_calls.c markers/debug_format.c markers/arch/x86/debug_call.c \
		       markers/plan.c markers/nofault.c markers/env/user/nofault.c markers/env/user/decode.c
$(NATIVE)/debug_sites: $(wildcard markers/*.h $(debug-sites)/*.h $(debug-sites)/linux/*.h)
	@mkdir -p $(@D)
	$(NATIVE_CC) -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers \
		-fno-pie -no-pie -I$(debug-sites) -Imarkers/env/user/x86 -Imarkers/env/user -Imarkers \
		-Imarkers/arch/x86 -o $@ $(filter %.c,$^)
