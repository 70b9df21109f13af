# SPDX-License-Identifier: GPL-2.0-only
# Rules for build/operations: the static program that kmark kernel-cost runs in guests, and
# the plugin with which QEMU counts for it, function by function.  Included by the
# Makefile.

OPERATIONS_BUILD := build/operations
OPERATIONS_CFLAGS := -O2 -g -std=gnu11 -Wall -Wextra
operations-objs := $(patsubst bench/operations/%.c,$(OPERATIONS_BUILD)/%.o,$(wildcard bench/operations/*.c))

.PHONY: operations operations-clean
operations: $(OPERATIONS_BUILD)/operations $(OPERATIONS_BUILD)/trace.so ## build what kmark kernel-cost runs in guests

operations-clean:
	rm -rf $(OPERATIONS_BUILD)

$(OPERATIONS_BUILD)/operations: $(operations-objs)
	gcc -static -o $@ $^

$(OPERATIONS_BUILD)/%.o: bench/operations/%.c $(wildcard bench/operations/*.h)
	@mkdir -p $(@D)
	gcc $(OPERATIONS_CFLAGS) -c -o $@ $<

$(OPERATIONS_BUILD)/trace.so: bench/operations/plugin/trace.c
	@mkdir -p $(@D)
	gcc $(OPERATIONS_CFLAGS) -fPIC -shared -o $@ $<
