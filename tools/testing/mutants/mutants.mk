# SPDX-License-Identifier: GPL-2.0-only
# `make mutants`, and all programs of its suites.  Included by the Makefile behind native.mk.

# What suites build that run side by side, so that no two build the same.
.PHONY: mutants suite-programs
suite-programs: model-programs $(addprefix $(NATIVE)/,arm64_gates arm64_operands boundaries faults ring_stress)

mutants: ## plant errors one by one, and see which test finds each (long)
	tools/setup build model check vm
	tools/testing/mutants/run
