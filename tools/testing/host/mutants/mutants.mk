# SPDX-License-Identifier: GPL-2.0-only
# `make mutants`, and all programs of its suites.  Included by the Makefile behind native.mk.

# Files that several suites build, made first because suites run side by side.
.PHONY: mutants suite-programs
suite-programs: model-programs $(addprefix $(NATIVE)/,arm64_gates boundaries faults operands_arm64 operands_x86 ring_stress)

mutants: ## plant 100 random errors one by one, and see which test finds each (hours)
	tools/setup build model check vm
	tools/testing/host/mutants/run --sample 100
