# SPDX-License-Identifier: GPL-2.0-only
"""How well a machine can be timed: methods, fences, K-best, the TSC library."""
