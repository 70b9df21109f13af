# SPDX-License-Identifier: GPL-2.0-only
"""The micro-benchmarks: what there is to measure, and running it."""
