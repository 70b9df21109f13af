# SPDX-License-Identifier: GPL-2.0-only
# Programs that libFuzzer gives inputs to, built by clang with ASan and UBSan below
# build/fuzz.  Included by the Makefile behind native.mk.

# The kernel is built with -fno-strict-overflow, which lets pointers wrap.
FUZZ_CC := clang-19 -fsanitize=address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all
fuzz := tools/testing/native/fuzz
fuzz-targets := command filter format table
fuzz-objs := $(call native-objs,$(fuzz-targets:%=$(fuzz)/%) $(fuzz)/fuzz_sites)
fuzz-programs := $(fuzz-targets:%=$(NATIVE)/fuzz_%)

.PHONY: fuzz fuzz-programs fuzz-build
fuzz: ## give RUNS inputs, default 10,000,000, to the parsers of the core together (minutes)
	tools/setup build check
	$(fuzz)/run $(RUNS)

fuzz-build:
	$(MAKE) NATIVE=build/fuzz NATIVE_CC='$(FUZZ_CC) -fsanitize=fuzzer-no-link' fuzz-programs

fuzz-programs: $(fuzz-programs)

$(fuzz-objs): NATIVE_CPPFLAGS += -I$(fuzz)
# ASan would pad the entries of the section tables.
$(NATIVE_OBJ)/$(fuzz)/fuzz_sites.o: NATIVE_CFLAGS += $(NATIVE_KERNEL_CFLAGS) -fno-sanitize=all
$(NATIVE_OBJ)/fuzz_sites.o: $(NATIVE_OBJ)/$(fuzz)/fuzz_sites.o markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $<


$(fuzz-programs): $(NATIVE)/fuzz_%: $(NATIVE_OBJ)/fuzz_sites.o $(NATIVE_OBJ)/$(fuzz)/%.o $(native-markers) $(native-env)
	$(NATIVE_CC) -fsanitize=fuzzer -no-pie -pthread -o $@ $^

-include $(fuzz-objs:.o=.d)

# For the bare guest.
$(NATIVE)/writes: $(fuzz)/writes.c
	@mkdir -p $(@D)
	$(NATIVE_CC) -D_GNU_SOURCE $(NATIVE_CFLAGS) -static -o $@ $<
