# SPDX-License-Identifier: GPL-2.0-only
# Rules for the programs of build/native: the shared files, compiled against
# markers/env/user instead of markers/env/kernel.  Included by the Makefile; uses
# nothing of it.
#
# Code with sites, and code that sites call, is limited to the registers that
# kernel code uses, since the call of a site saves no others.  Objects with
# sites are linked as the parts of a module are, which bounds their tables.

# Others on the command line of make build with another compiler, elsewhere.
ifeq ($(ARCH),arm64)
NATIVE_CC := aarch64-linux-gnu-gcc
NATIVE_LD := aarch64-linux-gnu-ld
NATIVE_OBJCOPY := aarch64-linux-gnu-objcopy
NATIVE := build/arm64/native
native-arch := arm64
native-gates-arch := generic
# The cross compiler has no such libraries.
native-lttng := no-lttng
native-usdt := no-usdt
else
NATIVE_CC := /usr/bin/gcc
NATIVE_LD := /usr/bin/ld
NATIVE_OBJCOPY := /usr/bin/objcopy
NATIVE := build/native
native-arch := x86
native-gates-arch := x86
# These are peers where they are installed.
native-lttng := $(if $(wildcard /usr/include/lttng/tracepoint.h \
		/usr/include/*/lttng/tracepoint.h),lttng,no-lttng)
native-usdt := $(if $(wildcard /usr/include/sys/sdt.h /usr/include/*/sys/sdt.h),usdt,no-usdt)
endif
NATIVE_OBJ := $(NATIVE)/obj

NATIVE_CPPFLAGS := -D_GNU_SOURCE -Ibench/env/user/$(native-lttng) \
		   -Ibench/env/user/$(native-usdt) -Imarkers/env/user/$(native-arch) -Imarkers/env/user \
		   -Imarkers -Imarkers/arch/$(native-arch) -Imarkers/selftest \
		   -Imarkers/selftest/arch/$(native-gates-arch) -Iprobes -Iprobes/arch/um -Ibench/env/user -Ibench/loops \
		   -Ibench/runner -Ibench/timing -Ibench/arch/$(native-arch) -I$(NATIVE_OBJ)/bench -Ibench -Ibench/gates \
		   -Ibench/gates/$(native-gates-arch)
NATIVE_CFLAGS := -O2 -g -std=gnu11 -fno-pie -Wall -Wextra -Wno-unused-parameter
# Flags that clang does not know.
native-gcc-cflags := $(if $(findstring clang,$(NATIVE_CC)),,-falign-jumps=1)
# As the kernel does; libc's inline functions would use floating point.
native-x86-cflags := -mno-red-zone
NATIVE_KERNEL_CFLAGS := $(native-$(native-arch)-cflags) -mgeneral-regs-only -D__NO_INLINE__ \
			-falign-loops=1 $(native-gcc-cflags) -fno-strict-aliasing

native-objs = $(addprefix $(NATIVE_OBJ)/,$(addsuffix .o,$(1)))

bench := bench
include bench/lists.mk
native-bench-sites := $(call native-objs,$(bench-shapes:%=bench/loops/cases_%))
native-hammer-sites := $(call native-objs,markers/selftest/hammer)
native-bulk-sites := $(call native-objs,markers/selftest/bulk_sites)
native-calls-sites := $(call native-objs,tools/native/calls)
native-x86-pads := arch/x86/pad arch/x86/pads
native-x86-writer := rounds
native-arm64-writer := one_store
native-markers := $(call native-objs,$(addprefix markers/,registry table_text table table_check dispatch changes hook_set \
		  kprobe_gate patch $(native-$(native-arch)-writer) gate filter filter_match guard context plan symbol nofault fetch command connect connect_debug connection transaction \
		  name selector expose debug_query no_debug_site \
		  probe no_kprobe arch/$(native-arch)/gates $(native-$(native-arch)-pads)))
native-gates := $(call native-objs,bench/gates/native bench/gates/$(native-gates-arch)/rows)
native-probes := $(call native-objs,$(addprefix bench/probes/,probe_empty probe_copy) \
		 $(addprefix probes/ctf/,probe class items type no_stack copy ring) bench/env/user/session)
native-x86-run := bench/arch/x86/retpoline bench/loops/forms bench/env/user/uprobe
native-run := $(call native-objs,$(addprefix bench/loops/,direct ring) \
		$(addprefix bench/runner/,run samples fence) $(native-$(native-arch)-run) \
		bench/env/user/flag bench/env/user/hold)
native-method := $(call native-objs,$(addprefix bench/timing/methods/,loops series words skew_native))
include bench/site_code/gates.mk
# Objects for kmark report size and kmark report disassemble, of x86 only.
native-x86-site-code := $(site-code-gates:%=bench/site_code/my_open_%)
native-site-code := $(call native-objs,$(native-$(native-arch)-site-code))
native-env := $(call native-objs,$(addprefix markers/env/user/,self text $(native-arch)/text_arch quiesce nesting function machine $(native-arch)/cpu decode context_read nofault))
native-lttng-objs := $(call native-objs,$(patsubst %.c,%,$(wildcard bench/env/user/$(native-lttng)/*.c)))
native-main := $(call native-objs,bench/runner/native bench/timing/methods/native tools/native/hammer tools/native/bulk)
native-kernel := $(native-bench-sites) $(native-cold) $(call native-objs,bench/cold/run bench/cold/sizes) $(native-hammer-sites) $(native-bulk-sites) $(native-calls-sites) \
		 $(native-markers) $(native-gates) $(native-probes) $(native-run) $(native-method) \
		 $(native-site-code)

# The same program with its code elsewhere (place.S): processes that share rounds have one each.
native-places := $(addprefix $(NATIVE)/bench-,1 2 3 4 5 6 7 8 9)
native-programs := $(addprefix $(NATIVE)/,bench cold method hammer bulk calls) $(native-places)

.PHONY: native native-clean
native: $(native-programs) $(native-site-code) ## build the programs of build/native

native-clean:
	rm -rf $(NATIVE)

$(native-places): $(NATIVE)/bench-%: $(NATIVE_OBJ)/place-%.o
$(NATIVE)/bench $(native-places): $(NATIVE_OBJ)/sites.o $(native-markers) $(native-gates) \
		    $(native-probes) $(native-run) $(native-env) $(native-lttng-objs) \
		    $(call native-objs,bench/runner/native)
$(NATIVE)/bench $(native-places): NATIVE_LIBS := $(if $(native-lttng-objs),-llttng-ust -ldl)
$(NATIVE)/cold: $(NATIVE_OBJ)/cold_sites.o $(native-markers) $(native-gates) $(native-probes) \
		$(filter-out %/bench/runner/run.o,$(native-run)) $(native-env) $(native-lttng-objs) \
		$(call native-objs,bench/cold/run bench/cold/sizes bench/runner/native)
$(NATIVE)/cold: NATIVE_LIBS := $(if $(native-lttng-objs),-llttng-ust -ldl)
$(NATIVE)/hammer: $(NATIVE_OBJ)/hammer_sites.o $(native-markers) $(native-gates) $(native-env) \
		     $(call native-objs,tools/native/hammer)
$(NATIVE)/bulk: $(NATIVE_OBJ)/bulk_sites.o $(native-markers) $(native-env) \
		   $(call native-objs,tools/native/bulk)
$(NATIVE)/calls: $(NATIVE_OBJ)/calls_sites.o $(native-markers) $(native-probes) $(native-env)
$(NATIVE)/method: $(native-method) $(call native-objs,bench/runner/fence markers/env/user/machine markers/env/user/$(native-arch)/cpu \
				   bench/timing/methods/native)
$(native-programs):
	$(NATIVE_CC) -no-pie -pthread $(NATIVE_LDFLAGS) -o $@ $^ $(NATIVE_LIBS)

# For the bare guest, which has no libc.
$(addprefix $(NATIVE)/,attach_bpf attach_perf call_chain raw_bpf text_poke ticks): $(NATIVE)/%: tools/vm/%.c tools/vm/hold.h tools/vm/raw_tracepoint.h \
		tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) $(NATIVE_CFLAGS) -static -o $@ $<

$(NATIVE_OBJ)/bench/shapes_list.h: bench/loops/shapes.list bench/lists.awk
	@mkdir -p $(@D)
	awk -v what=shapes -f bench/lists.awk $< >$@
$(NATIVE_OBJ)/bench/runner/run.o: $(NATIVE_OBJ)/bench/shapes_list.h

# The runner with the shapes of this program.
$(NATIVE_OBJ)/bench/cold/shapes_list.h: bench/cold/sizes.list bench/lists.awk
	@mkdir -p $(@D)
	awk -v what=shapes -f bench/lists.awk $< >$@
$(NATIVE_OBJ)/bench/cold/run.o: bench/runner/run.c $(NATIVE_OBJ)/bench/cold/shapes_list.h tools/native/native.mk
	$(NATIVE_CC) -I$(@D) $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) -MMD -MP -c -o $@ $<
# Copies of one part, each with its own name.
native-cold-numbers := $(shell seq 0 31)
native-cold-parts := $(native-cold-numbers:%=$(NATIVE_OBJ)/bench/cold/part_%.o)
native-cold := $(call native-objs,bench/cold/part bench/cold/few)
$(NATIVE_OBJ)/bench/cold/few.o: NATIVE_CPPFLAGS += -DCOLD_FEW
$(NATIVE_OBJ)/bench/cold/few.o: bench/cold/part.c tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) -MMD -MP -c -o $@ $<
$(native-cold-parts): $(NATIVE_OBJ)/bench/cold/part_%.o: $(NATIVE_OBJ)/bench/cold/part.o
	$(NATIVE_OBJCOPY) --redefine-sym marker_bench_cold_part=marker_bench_cold_part_$* $< $@
$(NATIVE_OBJ)/bench/cold/part_few.o: $(NATIVE_OBJ)/bench/cold/few.o
	$(NATIVE_OBJCOPY) --redefine-sym marker_bench_cold_part=marker_bench_cold_part_few $< $@

$(NATIVE_OBJ)/cold_sites.o: $(native-cold-parts) $(NATIVE_OBJ)/bench/cold/part_few.o
$(NATIVE_OBJ)/sites.o: $(native-bench-sites)
$(NATIVE_OBJ)/hammer_sites.o: $(native-hammer-sites)
$(NATIVE_OBJ)/bulk_sites.o: $(native-bulk-sites)
$(NATIVE_OBJ)/calls_sites.o: $(native-calls-sites)
$(NATIVE_OBJ)/sites.o $(NATIVE_OBJ)/cold_sites.o $(NATIVE_OBJ)/hammer_sites.o $(NATIVE_OBJ)/bulk_sites.o $(NATIVE_OBJ)/calls_sites.o: markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)
	$(native-placed)

# LTTng's header adds a constructor to each object, which would run with the stack aligned as in the kernel
# (see native-x86-cold-cflags); the constructors of native-lttng-objs are enough.
native-no-constructors := $(foreach array,init fini,--remove-section='.$(array)_array*' --remove-section='.rela.$(array)_array*')
# Or the linker would have sites.o begin with a page, whatever place.S moves it by.
$(NATIVE_OBJ)/sites.o: native-placed = $(NATIVE_OBJCOPY) --set-section-alignment .text=128 $(native-no-constructors) $@
$(NATIVE_OBJ)/cold_sites.o: native-placed = $(NATIVE_OBJCOPY) $(native-no-constructors) $@

# As in bench/Kbuild.
$(native-bench-sites) $(native-cold): NATIVE_CFLAGS += -g0
# Without copies of the end of a loop, or of the jump to the next step, in cold blocks, which gcc
# makes for all variants but the static key. In the empty loop they stay: without them all its
# branches are in one cache line at two layouts, which costs a cycle whatever the gate is, and
# kmark bench baseline --native looks for a cycle that a lost padding costs.
native-gcc-loop-cflags := $(if $(findstring clang,$(NATIVE_CC)),,--param max-grow-copy-bb-insns=1)
$(filter-out %/cases_empty.o,$(native-bench-sites)) $(native-cold): NATIVE_CFLAGS += $(native-gcc-loop-cflags)
# The functions are to be the same code as in the module: with the stack aligned as in the kernel.
native-x86-cold-cflags := $(if $(findstring clang,$(NATIVE_CC)),,-mpreferred-stack-boundary=3)
$(NATIVE_OBJ)/bench/loops/cases_cold.o $(native-cold): NATIVE_CFLAGS += $(native-$(native-arch)-cold-cflags)
# The cost of a loop depends on its place in a page, which is therefore the same for all loops.
$(filter-out %/cases_cold.o,$(native-bench-sites)): NATIVE_CPPFLAGS += -DBENCH_ALIGN=4096
$(native-markers): NATIVE_CPPFLAGS += -D'pr_fmt(fmt)="markers: " fmt'
$(native-run) $(call native-objs,bench/cold/run): NATIVE_CPPFLAGS += -D'pr_fmt(fmt)="marker_bench: " fmt'
$(native-method): NATIVE_CPPFLAGS += -D'pr_fmt(fmt)="method: " fmt'
$(native-kernel): NATIVE_CFLAGS += $(NATIVE_KERNEL_CFLAGS)

$(native-site-code): $(NATIVE_OBJ)/bench/site_code/my_open_%.o: bench/site_code/my_open.c tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) -DSITE_CODE_GATE=$* -MMD -MP -c -o $@ $<

$(NATIVE_OBJ)/%.o: %.c tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) -MMD -MP -c -o $@ $<

$(NATIVE_OBJ)/place-%.o: bench/env/user/place.S
	@mkdir -p $(@D)
	$(NATIVE_CC) -DPLACE=$* -c -o $@ $<

$(NATIVE_OBJ)/%.o: %.S tools/native/native.mk
	@mkdir -p $(@D)
	$(NATIVE_CC) -c -o $@ $<

-include $(patsubst %.o,%.d,$(native-kernel) $(native-env) $(native-lttng-objs) $(native-main))
