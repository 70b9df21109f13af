# SPDX-License-Identifier: GPL-2.0-only
# The programs that replay the models of this folder through the core, compiled for a
# program; `make model` runs all.  Included by the Makefile behind native.mk.

model-native := tools/testing/native/model/native
model-objs := $(call native-objs,$(addprefix $(model-native)/,replay_patch replay_dispatch replay_text \
		  replay_sites steps))
model-programs := $(NATIVE)/replay_patch $(NATIVE)/replay_dispatch
model-wait := $(wildcard $(model-native)/wait/*.[ch] $(model-native)/wait/linux/*.h \
		$(model-native)/wait/linux/sched/*.h)

.PHONY: model model-programs
model: ## check the patch protocol with spin for 3 CPUs, and replay it through the code (minutes)
	tools/setup model
	tools/testing/native/model/run --cpus 3

model-programs: $(model-programs) $(NATIVE)/wait

# The stand-ins have arguments that they do not use, and tables that end early.
$(model-objs): NATIVE_CPPFLAGS += -I$(model-native)
$(model-objs): NATIVE_CFLAGS += -Wno-missing-field-initializers
$(NATIVE_OBJ)/$(model-native)/replay_sites.o: NATIVE_CFLAGS += $(NATIVE_KERNEL_CFLAGS)
$(NATIVE_OBJ)/replay_sites.o: $(NATIVE_OBJ)/$(model-native)/replay_sites.o markers/markers.lds
	$(NATIVE_LD) -r -T markers/markers.lds -o $@ $(filter %.o,$^)

$(NATIVE)/replay_patch: $(call native-objs,$(addprefix $(model-native)/,replay_patch steps) markers/patch markers/rounds markers/gate)
$(NATIVE)/replay_dispatch: $(NATIVE_OBJ)/replay_sites.o $(native-markers) $(native-gates) \
		  $(call native-objs,$(addprefix $(model-native)/,replay_dispatch replay_text steps) \
		  $(addprefix markers/env/user/,self function decode context_read nesting machine nofault))
$(NATIVE)/replay_dispatch: NATIVE_LIBS := -Wl,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock
$(model-programs):
	$(NATIVE_CC) -no-pie -pthread -Wl,--wrap=free $(NATIVE_LIBS) -o $@ $^

# The kernel's own wait, with stand-ins for what it needs of a kernel.
$(NATIVE)/wait: markers/quiesce.c markers/quiesce.h $(model-wait)
	@mkdir -p $(@D)
	$(NATIVE_CC) -D_GNU_SOURCE -I$(model-native)/wait -Imarkers/env/user -Imarkers $(NATIVE_CFLAGS) \
		-Wno-incompatible-pointer-types -no-pie -pthread -o $@ $(model-native)/wait/wait.c $<

-include $(model-objs:.o=.d)
