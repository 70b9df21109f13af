# SPDX-License-Identifier: GPL-2.0-only
# The long tests.  Included by the Makefile.

.PHONY: check-long trust
check-long: ## run every long test and print what each has shown (hours)
	tools/setup
	tools/testing/trust/run --run all

trust: ## print what each long test has shown here last, and on which commit
	@tools/testing/trust/run
