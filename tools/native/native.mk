# SPDX-License-Identifier: GPL-2.0-only
# Rules for the native runner, build/native/bench: the shared files compiled
# against tools/native instead of markers/env/kernel.  Included by the
# Makefile; uses nothing of it.
#
#	make native		build it
#	make native-clean	remove build/native
#
# Code that a site may call, and code with sites, keeps to the registers that
# kernel code keeps to, since the call of a site saves no others.  Objects with
# sites are linked as the parts of a module are, which bounds their tables.

NATIVE_CC := /usr/bin/gcc
NATIVE_LD := /usr/bin/ld
NATIVE_DIR := build/native
NATIVE_OBJ := $(NATIVE_DIR)/obj

NATIVE_CPPFLAGS := -D_GNU_SOURCE -Itools/native -Imarkers -Imarkers/arch/x86 -Iprobes \
		   -Ibench -Ibench/arch/x86 -Ibench/tsc -MMD -MP
NATIVE_CFLAGS := -O2 -g -std=gnu11 -fno-pie -Wall -Wextra -Wno-unused-parameter

# As the kernel does; libc's inline functions would use floating point.
NATIVE_KERNEL_CFLAGS := -mno-red-zone -mgeneral-regs-only -D__NO_INLINE__ \
			-falign-loops=1 -falign-jumps=1 -fno-strict-aliasing
# The loops are to begin where they are told to (bench/Kbuild).
NATIVE_SITE_CFLAGS := -fno-move-loop-invariants

native-sites := $(patsubst %,bench/cases_%.o,empty memcpy4096 unrolled8 unrolled4)
native-kernel := $(patsubst %,markers/%.o,registry dispatch patch gate connection \
		   selector probes arch/x86/gate arch/x86/pad arch/x86/pads) \
		 probes/probe_empty.o probes/probe_copy.o \
		 bench/run.o bench/samples.o bench/tsc/tsc.o
native-program := bench/native.o tools/native/text.o tools/native/quiesce.o
native-objects := $(addprefix $(NATIVE_OBJ)/,$(native-sites) $(native-kernel) $(native-program))

$(addprefix $(NATIVE_OBJ)/,$(native-sites)): NATIVE_CFLAGS += $(NATIVE_SITE_CFLAGS)
$(addprefix $(NATIVE_OBJ)/,$(native-sites) $(native-kernel)): NATIVE_CFLAGS += $(NATIVE_KERNEL_CFLAGS)

.PHONY: native native-clean
native: $(NATIVE_DIR)/bench

native-clean:
	rm -rf $(NATIVE_DIR)

$(NATIVE_DIR)/bench: $(NATIVE_OBJ)/sites.o $(addprefix $(NATIVE_OBJ)/,$(native-kernel) $(native-program))
	$(NATIVE_CC) -no-pie -pthread -o $@ $^

$(NATIVE_OBJ)/sites.o: $(addprefix $(NATIVE_OBJ)/,$(native-sites)) markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)

$(NATIVE_OBJ)/%.o: %.c tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) -c -o $@ $<

$(NATIVE_OBJ)/%.o: %.S tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) $(NATIVE_CPPFLAGS) -c -o $@ $<

-include $(native-objects:.o=.d)
