# SPDX-License-Identifier: GPL-2.0-only
# Programs that include a file of the kernel modules, and see in which order it calls the kernel. Included by
# the Makefile behind native.mk.

order := tools/testing/native/order
order-programs := $(addprefix $(NATIVE)/order_,text events sessions)
# Headers of the kernel, empty: order.h and the programs have what is needed of them.
order-headers := $(addprefix $(NATIVE_OBJ)/$(order)/include/,asm/sync_core.h $(addprefix linux/, \
	cpuhotplug.h cpumask.h hashtable.h kdebug.h ktime.h list.h mm.h mutex.h notifier.h panic_notifier.h \
	random.h rculist.h rcupdate.h sched.h siphash.h smp.h trace_events.h tracepoint.h vmalloc.h xarray.h))

$(order-headers):
	@mkdir -p $(@D)
	@: >$@

$(order-programs): $(NATIVE)/order_%: $(order)/%.c $(wildcard $(order)/*.h) $(order-headers) \
		   $(wildcard markers/*.h markers/arch/x86/*.c probes/event/*.[ch] probes/ctf/*.[ch])
	@mkdir -p $(@D)
	$(NATIVE_CC) -O1 -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -Wno-sign-compare \
		-Wno-missing-field-initializers -Wno-format -Werror -D_GNU_SOURCE -pthread -fno-strict-aliasing \
		-fsanitize=address,undefined -fno-sanitize=alignment \
		-I$(order) -I$(NATIVE_OBJ)/$(order)/include -Imarkers/env/user -Imarkers -Iprobes \
		-Iprobes/arch/um -o $@ $<
