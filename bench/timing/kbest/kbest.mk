# SPDX-License-Identifier: GPL-2.0-only
# Rules for build/kbest/kbest, which needs the TSC library and nothing else of
# the tree.  Included by the Makefile, behind bench/timing/tsc/tsc.mk.

KBEST_BUILD := build/kbest
KBEST_CFLAGS := -O2 -g -std=gnu11 -Wall -Wextra
kbest-objs := $(patsubst bench/timing/kbest/%.c,$(KBEST_BUILD)/%.o,$(wildcard bench/timing/kbest/*.c))

.PHONY: kbest kbest-clean
kbest: $(KBEST_BUILD)/kbest ## build the lecture's timing schemes

kbest-clean:
	rm -rf $(KBEST_BUILD)

$(KBEST_BUILD)/kbest: $(kbest-objs) $(TSC_BUILD)/libtsc.a
	gcc -o $@ $^

$(KBEST_BUILD)/%.o: bench/timing/kbest/%.c $(wildcard bench/timing/kbest/*.h bench/timing/tsc/*.h)
	@mkdir -p $(@D)
	gcc $(KBEST_CFLAGS) -Ibench/timing/tsc -c -o $@ $<
