# SPDX-License-Identifier: GPL-2.0-only
# The long tests.  Included by the Makefile.

.PHONY: check-long test-results
check-long: ## run every long test and print the results (hours)
	tools/setup
	tools/testing/long/run --run all

test-results: ## print the last result of each long test that was run here
	@tools/testing/long/run
