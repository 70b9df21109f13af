# SPDX-License-Identifier: GPL-2.0-only
# The verbs; `make help` lists them.  What they need, tools/setup installs.
#
# Variables: ENV=native|vm|uml (bench), ROUNDS=N (bench), KDIR=kernel build tree (of the guest's
# kernel, if its headers are installed, else of the running one),
# ARCH=arm64 (modules, list-modules, check-vm, check-patches, -kernel, bench with ENV=vm: for a
# guest of that architecture; native: programs for qemu-user), TOGGLES=N (hammer), K=VERSION
# (check-patches, -kernel, -each-patch, -ftracetest), DEBUG=1, WITH=clang (check-patches,
# -kernel), SECONDS=N (soak, check-slow), CASES=PATHS, WITH=ftrace (check-ftracetest).

KDIR ?= $(firstword $(wildcard /lib/modules/$(shell tools/vm/kernel-version 2>/dev/null)/build) \
		    /lib/modules/$(shell uname -r)/build)
TOGGLES ?= 1000000
PROVE = tools/testing/run-tests prove --failures --timer
run-tests = HARNESS_RULESFILE=tools/testing/rules.yml RUN=$@ $(PROVE) -j"$$(nproc)"
tests = $(patsubst %,tools/testing/%/*.t,unit native host guest)
check-needs = build vm check kernel package docs fleet
# Tests that take long, or measure time.
slow = $(patsubst %,tools/testing/%.t, \
	$(addprefix host/,docs fleet mutants mutants-slow package page series-mail site simulated) \
	$(addprefix native/,arm64 clang-builds fuzz kbest macro method model tsc) \
	$(addprefix guest/,bench-gate bulk context convert ctf2 debug-sites-in-tools debug-sites-of-drivers \
	event-headers fields gate hammer-single isolated-cpu-left-alone kmark kprobes-on-gates-refused \
	method races refused rounds-under-hotplug-lock sessions snapshots-while-recording \
	stacks-begin-at-site stock stream stress time-grows-with-sites tools uml vm))
quick = $(patsubst %,tools/testing/%.t,unit/unit host/agree $(addprefix native/,boundaries bulk faults shapes) guest/core)
kbuild = $(MAKE) -C $(KDIR) M=$(CURDIR)

# Modules of another architecture are built beside the tree's, from copies of the sources.
ifeq ($(ARCH),arm64)
built := build/arm64/
kbuild = $(MAKE) -C $$(tools/setup --path headers-arm64) ARCH=arm64 \
	 CROSS_COMPILE=aarch64-linux-gnu- M=$(CURDIR)/$(built)
endif

# kbuild's own rules would take the parts of such a path for several files.
ifneq ($(words $(CURDIR)),1)
kbuild = $(error the kernel's kbuild cannot build modules in "$(CURDIR)", as that has a space: move the folder)
endif

installed := $(addsuffix .ko,$(shell sed '/^\#/d' modules.list))
modules := $(installed) $(addprefix markers/selftest/,$(addsuffix .ko,marker_test \
	   marker_addresses marker_types marker_kprobe_sites marker_hammer marker_bulk \
	   marker_foreign marker_held marker_many_00 marker_hundred marker_thousand marker_behind marker_asleep \
	   marker_odd marker_unmarked probe_nested probe_slow marker_formats marker_fields marker_numbers marker_debug marker_races marker_systems marker_livepatch probe_args \
	   marker_refuse))

help: ## list the verbs (default)
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24
	@echo "  variables: ENV=native|vm|uml  ROUNDS=N  KDIR=PATH  ARCH=arm64  TOGGLES=N  SECONDS=N  K=VERSION  DEBUG=1  CASES=PATHS  WITH=clang|ftrace"

all: modules native suite-programs tsc kbest macro operations ## build modules, native programs, the TSC library

bench: ## install what is needed, compare all gates here and in a guest, report
	tools/setup $(if $(filter-out native,$(or $(ENV),vm)),build vm $(filter uml,$(ENV)) $(ARCH:%=vm-%),native)
	tools/kmark bench $(ENV:%=--env %) $(ARCH:%=--arch %) $(ROUNDS:%=--rounds %)

bench-gate: ## instruction counts in a guest, against bench/data/baseline.json; padding, here
	tools/setup build vm
	tools/kmark bench baseline
	tools/kmark bench baseline --file bench/data/baseline-return-thunks.json
	tools/kmark bench baseline --native
	tools/kmark bench paths --all

check: ## install what is needed, run the tests: native, unit, in guests
	tools/setup $(check-needs)
	$(MAKE) -j"$$(nproc)" all
	$(run-tests) $(filter-out $(slow) tools/testing/guest/uml-method.t,$(wildcard $(tests)))

check-slow: ## the tests that `check` leaves out, as they take long; CI runs both
	tools/setup $(check-needs)
	$(MAKE) -j"$$(nproc)" all
	SECONDS_OF_RACE=$(or $(SECONDS),20) $(run-tests) $(slow)

check-unit: ## unit tests of the Python package, in seconds; no installing
	tools/testing/unit/unit.t

check-quick: ## for the inner loop: unit tests, native tests and one guest; no installing
	$(MAKE) -j"$$(nproc)" modules native suite-programs
	$(run-tests) $(quick)

check-vm: ## only the tests that run in guests
	tools/setup build vm $(ARCH:%=vm-%) $(ARCH:%=check-%) check
	$(MAKE) -j"$$(nproc)" modules
	$(PROVE) $(filter-out $(slow) tools/testing/guest/uml%,$(wildcard tools/testing/guest/*.t))

check-matrix: ## the suites in kernels of several versions, with 1 to 8 CPUs (hours)
	tools/testing/long/run --run matrix-

soak: ## markers beside what else changes code, SECONDS of each (default: 3600)
	$(MAKE) -j"$$(nproc)" modules
	SECONDS_OF_RACE=$(or $(SECONDS),3600) $(PROVE) -v tools/testing/guest/races.t

check-patches: ## build the kernel K (default 6.1) with patches/ applied, test it in a guest
	tools/setup kernel vm $(ARCH:%=vm-%) check
	K=$(K) ARCH=$(ARCH) WITH=$(WITH) DEBUG=$(DEBUG) $(PROVE) tools/testing/long/patches.t

check-kernel: ## build the kernel K as it came, test markers.ko there
	tools/setup kernel vm $(ARCH:%=vm-%) check
	VANILLA=1 K=$(K) ARCH=$(ARCH) WITH=$(WITH) DEBUG=$(DEBUG) $(PROVE) tools/testing/long/patches.t

check-each-patch: ## build K after each of its patches, with several sets of options (long)
	tools/setup kernel
	K=$(K) $(PROVE) tools/testing/long/each-patch.t

check-ftracetest: ## run the kernel's own tests of ftrace, with and without patches/ (long)
	tools/setup kernel vm check
	K=$(K) WITH=$(WITH) CASES="$(CASES)" $(PROVE) tools/testing/long/ftracetest.t

hammer: native ## open and close each gate TOGGLES times while it runs (minutes)
	build/native/hammer --toggles $(TOGGLES)

lint: ## checkpatch, sparse, shellcheck, ruff, mypy, SPDX, include graph
	tools/setup build lint
	tools/lint

modules: ## build the kernel modules, or MODULES only, against KDIR, or for ARCH
	$(if $(built),mkdir -p $(built) && cp -u --parents $(install-sources) $(built))
	+$(kbuild) $(or $(MODULES),modules)

hello: ## install what is needed, build the smallest example, and show its event in a guest
	tools/setup modules vm
	$(MAKE) build-hello
	tools/kmark dev vm $(patsubst %,--add %.ko,markers/markers probes/probe_event Documentation/examples/hello/hello) \
		-- Documentation/examples/hello/show.sh

# A make of its own, which finds the headers that setup has installed.
build-hello:
	$(MAKE) modules MODULES="markers/markers.ko probes/probe_event.ko"
	$(MAKE) -C Documentation/examples/hello KDIR="$(KDIR)"

weigh: ## print how large the tree is and how long its tests take, now or at COMMIT
	@tools/testing/weigh $(COMMIT)

series: ## write the patches for kernel trees to build/series/
	tools/kmark dev patches

pyz: build/kmark.pyz ## make one file of list, connect, stat, record and the like
build/kmark.pyz: tools/pyz.py $(wildcard tools/lib/kmark/*.* tools/lib/kmark/*/*.*)
	mkdir -p build
	python3 -I tools/pyz.py $@

clean: native-clean tsc-clean kbest-clean macro-clean operations-clean ## remove what was built
	$(kbuild) clean

list-modules:
	@echo $(if $(built),$(wildcard $(addprefix $(built),$(modules))),$(modules))

include tools/native/native.mk
include tools/testing/native/model/model.mk
include tools/testing/native/faults/faults.mk
include tools/testing/native/fuzz/fuzz.mk
include tools/testing/long/long.mk
include tools/testing/native/tsan/tsan.mk
include tools/testing/native/boundaries/boundaries.mk
include tools/testing/native/order/order.mk
include tools/testing/native/ring/ring.mk
include tools/testing/native/recorder/recorder.mk
include tools/testing/native/events/events.mk
include tools/testing/guest/context/context.mk
include tools/testing/guest/packets/packets.mk
include tools/testing/guest/correlate/correlate.mk
include tools/testing/guest/export/export.mk
include tools/testing/native/arm64/arm64.mk
include tools/testing/native/debug_sites/debug_sites.mk
include tools/testing/native/operands/operands.mk
include tools/testing/host/mutants/mutants.mk
include bench/timing/tsc/tsc.mk
include bench/timing/kbest/kbest.mk
include bench/macro/macro.mk
include bench/operations/operations.mk
include tools/docs/docs.mk
include tools/install.mk

.PHONY: all bench bench-gate build-hello check check-each-patch check-ftracetest check-kernel \
	check-matrix check-patches check-quick check-slow check-unit check-vm clean hammer hello help lint list-modules modules pyz series \
	soak weigh
