# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Rules for the TSC library and its programs; needs nothing else of the tree but VERSION.
# Included by the Makefile, and works alone: make -f bench/timing/tsc/tsc.mk tsc
#
# Variables: TSC_CC, TSC_CFLAGS (another platform: with its own TSC_BUILD),
# PREFIX, LIBDIR, DESTDIR (tsc-install).

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
TSC_CC ?= gcc
TSC_AR ?= ar
TSC_BUILD ?= build/tsc
TSC_CFLAGS ?= -O2 -g
TSC_SRC := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

tsc-flags = -std=gnu11 -fPIC -Wall -Wextra $(TSC_CFLAGS)
tsc-headers := $(wildcard $(TSC_SRC)/*.h)
tsc-programs := $(addprefix $(TSC_BUILD)/,test_overhead test_syscall test_cpuspeed)

.PHONY: tsc tsc-install tsc-table tsc-clean
tsc: $(TSC_BUILD)/libtsc.a $(tsc-programs) ## build the TSC library and its programs

tsc-table: tsc ## measure the reads and system calls of the library's paper
	@$(TSC_BUILD)/test_overhead
	@for name in time gettimeofday dup2 close; do \
		$(TSC_BUILD)/test_syscall $$name 10 101 | grep -v '^[0-9]'; done

tsc-install: tsc ## install the TSC library below DESTDIR and PREFIX
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(addprefix $(DESTDIR)$(PREFIX)/,include/tsc share/man/man3)
	install -m 644 $(TSC_BUILD)/libtsc.a $(DESTDIR)$(LIBDIR)
	install -m 644 $(TSC_SRC)/tsc.h $(wildcard $(TSC_SRC)/asi_*.h) $(DESTDIR)$(PREFIX)/include/tsc
	install -m 644 $(TSC_SRC)/tsc.3 $(DESTDIR)$(PREFIX)/share/man/man3
	sed 's|@VERSION@|$(shell cat $(TSC_SRC)/../../../VERSION)|; s|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' $(TSC_SRC)/tsc.pc.in \
		>$(DESTDIR)$(LIBDIR)/pkgconfig/tsc.pc

tsc-clean:
	rm -rf $(TSC_BUILD)

$(TSC_BUILD)/%.o: $(TSC_SRC)/%.c $(tsc-headers)
	@mkdir -p $(@D)
	$(TSC_CC) $(tsc-flags) -c -o $@ $<

$(TSC_BUILD)/libtsc.a: $(TSC_BUILD)/tsc.o
	rm -f $@
	$(TSC_AR) rcs $@ $^

$(tsc-programs): %: %.o $(TSC_BUILD)/program.o $(TSC_BUILD)/libtsc.a
	$(TSC_CC) $(tsc-flags) -o $@ $^
