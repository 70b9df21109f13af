# SPDX-License-Identifier: GPL-2.0-only
# The program that tries the ends of what the core accepts.  Included by the Makefile behind
# native.mk.

boundaries := tools/testing/native/boundaries
boundaries-objs := $(call native-objs,$(addprefix $(boundaries)/,boundaries forms patches probes texts tables many waits wild fire))
$(boundaries-objs): NATIVE_CPPFLAGS += -I$(boundaries) -I$(requests)
# Tables that end early.
$(boundaries-objs): NATIVE_CFLAGS += -Wno-missing-field-initializers
$(NATIVE_OBJ)/$(boundaries)/fire.o: NATIVE_CFLAGS += $(NATIVE_KERNEL_CFLAGS)
$(NATIVE_OBJ)/boundaries_sites.o: $(NATIVE_OBJ)/$(boundaries)/fire.o markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)

boundaries-wrapped := marker_text_quiesce marker_nesting_enter marker_nesting_leave marker_context_read
$(NATIVE)/boundaries: $(NATIVE_OBJ)/boundaries_sites.o $(native-markers) $(native-env) \
		  $(call native-objs,$(addprefix $(boundaries)/,boundaries forms patches probes texts tables many waits wild) \
		  $(requests)/requests)
	$(NATIVE_CC) -no-pie -pthread $(call requests-wrap,$(requests-wrapped) $(boundaries-wrapped)) -o $@ $^

-include $(boundaries-objs:.o=.d)
