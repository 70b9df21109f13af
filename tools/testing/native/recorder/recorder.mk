# SPDX-License-Identifier: GPL-2.0-only
# The recorder in a program.  Included by the Makefile behind faults.mk.

recorder := tools/testing/native/recorder
recorder-made := $(NATIVE_OBJ)/recorder
recorder-headers := cpuhotplug cpumask debugfs delay fs kallsyms kdebug ktime module notifier panic_notifier random rculist \
		    rcupdate sched seq_file siphash uaccess utsname vmalloc xarray
recorder-tests := $(addprefix $(recorder)/,recorder packets limits contexts new_cpu panic faults listings core kernel)
recorder-code := $(addprefix markers/,escape debugfs debugfs_results debugfs_sites) $(addprefix probes/ctf/,files control reader trigger probe sessions session clock \
			dump describe class items type copy part ring no_stack)
recorder-objs := $(addprefix $(recorder-made)/,$(addsuffix .o,$(recorder-tests) $(recorder-code) $(recorder)/sites))

$(recorder-made)/linux: $(recorder)/recorder.mk
	@mkdir -p $@ && touch $@
	@for name in $(recorder-headers); do echo '#include "kernel.h"' >$@/$$name.h; done

$(recorder-objs): $(recorder-made)/%.o: %.c tools/native/native.mk $(recorder)/recorder.mk | $(recorder-made)/linux
	@mkdir -p $(@D)
	$(NATIVE_CC) -I$(recorder) -I$(requests) -I$(recorder-made) $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) -Wno-missing-field-initializers \
		-fstack-protector-all -Wno-format -Wno-sign-compare -Wno-type-limits -Wno-stringop-overread \
		-D'pr_fmt(fmt)="markers: " fmt' -fno-strict-aliasing $(recorder-cflags) -MMD -MP -c -o $@ $<
$(recorder-made)/$(recorder)/sites.o: recorder-cflags = $(NATIVE_KERNEL_CFLAGS)
$(addprefix $(recorder-made)/,probes/ctf/copy.o probes/ctf/ring.o): recorder-cflags = $(NATIVE_KERNEL_CFLAGS)
$(recorder-made)/all_sites.o: $(recorder-made)/$(recorder)/sites.o markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)

recorder-wrapped := marker_fetch_text marker_context_read marker_task_tid marker_task_pid
$(NATIVE)/recorder: $(recorder-made)/all_sites.o $(filter-out %/sites.o,$(recorder-objs)) $(native-markers) $(native-gates) $(native-env) \
		    $(NATIVE_OBJ)/$(requests)/requests.o
	$(NATIVE_CC) -no-pie -pthread $(call requests-wrap,$(requests-wrapped) $(recorder-wrapped)) -o $@ $^

-include $(recorder-objs:.o=.d)
