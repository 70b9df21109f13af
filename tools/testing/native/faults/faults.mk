# SPDX-License-Identifier: GPL-2.0-only
# The program that refuses each allocation of the core in turn.  Included by the Makefile
# behind native.mk.

# Requests that are refused, for this program and those of recorder.mk and events.mk.
requests := tools/testing/native/requests
requests-wrapped := malloc calloc reallocarray vasprintf free
requests-wrap = $(1:%=-Wl,--wrap=%)
$(NATIVE_OBJ)/$(requests)/requests.o: NATIVE_CPPFLAGS += -I$(requests)
-include $(NATIVE_OBJ)/$(requests)/requests.d

faults := tools/testing/native/faults
faults-objs := $(call native-objs,$(addprefix $(faults)/,faults faults_sites))
$(faults-objs): NATIVE_CPPFLAGS += -I$(faults) -I$(requests)
# Tables that end early.
$(faults-objs): NATIVE_CFLAGS += -Wno-missing-field-initializers
$(NATIVE_OBJ)/$(faults)/faults_sites.o: NATIVE_CFLAGS += $(NATIVE_KERNEL_CFLAGS)
$(NATIVE_OBJ)/faults_sites.o: $(NATIVE_OBJ)/$(faults)/faults_sites.o markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)

$(NATIVE)/faults: $(NATIVE_OBJ)/faults_sites.o $(native-markers) $(native-gates) $(native-env) \
		  $(call native-objs,$(faults)/faults $(requests)/requests)
	$(NATIVE_CC) -no-pie -pthread $(call requests-wrap,$(requests-wrapped) marker_text_map) -o $@ $^

-include $(faults-objs:.o=.d)

# For the bare guest.
$(NATIVE)/each_nth: $(faults)/each_nth.c
	@mkdir -p $(@D)
	$(NATIVE_CC) -D_GNU_SOURCE $(NATIVE_CFLAGS) -static -o $@ $<
