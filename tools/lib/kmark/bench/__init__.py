# SPDX-License-Identifier: GPL-2.0-only
"""The micro-benchmarks: the list of cases, and running them."""
