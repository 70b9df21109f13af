# SPDX-License-Identifier: GPL-2.0-only
# The ring of the probe ctf in a program.  Included by the Makefile behind native.mk.

$(NATIVE)/ring_stress: tools/testing/native/ring/stress.c $(wildcard probes/ctf/ring.c probes/ctf/part.c probes/ctf/*.h probes/arch/um/*.h)
	@mkdir -p $(@D)
	$(NATIVE_CC) -O2 -std=gnu11 -fno-pie -no-pie -Wall -Wextra -Wno-unused-parameter \
		-D_GNU_SOURCE -pthread -mno-red-zone -fno-strict-aliasing -Imarkers/env/user -Imarkers \
		-Iprobes -Iprobes/arch/um -o $@ $<
