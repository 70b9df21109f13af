# SPDX-License-Identifier: GPL-2.0-only
# The trace events of markers in a program.  Included by the Makefile behind recorder.mk.

events := tools/testing/native/events
events-made := $(NATIVE_OBJ)/events
events-headers := delay hashtable kernel ktime list mm mutex perf_event preempt slab string trace_events tracepoint types workqueue
events-code := $(addprefix probes/event/,probe list event write record format)
events-objs := $(addprefix $(events-made)/,$(addsuffix .o,$(addprefix $(events)/,events faults tracing sites) $(events-code)))

$(events-made)/linux: $(events)/events.mk
	@mkdir -p $@ && touch $@
	@for name in $(events-headers:%=linux/%) compat; do echo '#include "tracing.h"' >$(events-made)/$$name.h; done

$(events-objs): $(events-made)/%.o: %.c tools/native/native.mk $(events)/events.mk | $(events-made)/linux
	@mkdir -p $(@D)
	$(NATIVE_CC) -I$(events) -I$(requests) -I$(events-made) -Iprobes/event $(NATIVE_CPPFLAGS) $(NATIVE_CFLAGS) \
		-Wno-missing-field-initializers -fstack-protector-all -Wno-format -Wno-sign-compare -Wno-type-limits \
		-D'pr_fmt(fmt)="markers: " fmt' -fno-strict-aliasing $(events-cflags) -MMD -MP -c -o $@ $<
$(addprefix $(events-made)/,$(events)/sites.o $(events-code:%=%.o)): events-cflags = $(NATIVE_KERNEL_CFLAGS)
$(events-made)/all_sites.o: $(events-made)/$(events)/sites.o markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)

$(NATIVE)/events: $(events-made)/all_sites.o $(filter-out %/sites.o,$(events-objs)) $(native-markers) $(native-gates) $(native-env) \
		  $(NATIVE_OBJ)/$(requests)/requests.o
	$(NATIVE_CC) -no-pie -pthread $(call requests-wrap,$(requests-wrapped) marker_fetch_text) -o $@ $^

-include $(events-objs:.o=.d)
