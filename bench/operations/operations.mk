# SPDX-License-Identifier: GPL-2.0-only
# Rules for build/operations: the static program that kmark kernel-cost runs in guests, and
# the plugin with which QEMU counts for it, function by function.  Included by the
# Makefile.

OPERATIONS_BUILD := build/operations$(if $(filter arm64,$(ARCH)),-arm64)
OPERATIONS_CC := $(if $(filter arm64,$(ARCH)),aarch64-linux-gnu-)gcc
OPERATIONS_CFLAGS := -O2 -g -std=gnu11 -Wall -Wextra
operations-objs := $(patsubst bench/operations/%.c,$(OPERATIONS_BUILD)/%.o,$(wildcard bench/operations/*.c))

.PHONY: operations operations-clean
operations: $(addprefix $(OPERATIONS_BUILD)/,operations nothing trace.so ext4) ## build what kmark kernel-cost runs in guests

operations-clean:
	rm -rf $(OPERATIONS_BUILD)

$(OPERATIONS_BUILD)/operations: $(operations-objs)
	$(OPERATIONS_CC) -static -o $@ $^

$(OPERATIONS_BUILD)/%.o: bench/operations/%.c $(wildcard bench/operations/*.h)
	@mkdir -p $(@D)
	$(OPERATIONS_CC) $(OPERATIONS_CFLAGS) -c -o $@ $<

$(OPERATIONS_BUILD)/trace.so: bench/operations/plugin/trace.c
	@mkdir -p $(@D)
	gcc $(OPERATIONS_CFLAGS) -fPIC -shared -o $@ $<

$(OPERATIONS_BUILD)/nothing: bench/operations/executed/nothing.c
	@mkdir -p $(@D)
	$(OPERATIONS_CC) -Os -static -nostdlib -o $@ $<

# A file system of always the same bytes.
$(OPERATIONS_BUILD)/ext4:
	@mkdir -p $(@D)
	@rm -f $@.new
	truncate -s 1M $@.new
	E2FSPROGS_FAKE_TIME=1767225600 PATH=$$PATH:/usr/sbin:/sbin mkfs.ext4 -q -F -O ^has_journal \
		-U 6b6d6172-6b00-4000-8000-000000000000 -E hash_seed=6b6d6172-6b00-4000-8000-000000000001 $@.new
	mv $@.new $@
