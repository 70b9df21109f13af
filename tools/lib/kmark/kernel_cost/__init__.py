# SPDX-License-Identifier: GPL-2.0-only
"""Counts the instructions of micro-operations on two kernels, and compares them."""
