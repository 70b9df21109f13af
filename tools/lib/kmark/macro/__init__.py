# SPDX-License-Identifier: GPL-2.0-only
"""The macro-benchmarks: whole workloads on kernels with and without markers."""
