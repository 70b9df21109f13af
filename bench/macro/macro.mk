# SPDX-License-Identifier: GPL-2.0-only
# Rules for build/macro/macro, which guests without a libc run: it is static. It
# needs the TSC library and nothing else of the tree.  Included by the Makefile,
# behind bench/timing/tsc/tsc.mk.

MACRO_BUILD := build/macro
MACRO_CFLAGS := -O2 -g -std=gnu11 -Wall -Wextra
macro-objs := $(patsubst bench/macro/%.c,$(MACRO_BUILD)/%.o,$(wildcard bench/macro/*.c))

.PHONY: macro macro-clean
macro: $(MACRO_BUILD)/macro ## build the workloads of the macro-benchmarks

macro-clean:
	rm -rf $(MACRO_BUILD)

$(MACRO_BUILD)/macro: $(macro-objs) $(TSC_BUILD)/libtsc.a
	gcc -static -o $@ $^

$(MACRO_BUILD)/%.o: bench/macro/%.c $(wildcard bench/macro/*.h bench/timing/tsc/*.h)
	@mkdir -p $(@D)
	gcc $(MACRO_CFLAGS) -Ibench/timing/tsc -c -o $@ $<
