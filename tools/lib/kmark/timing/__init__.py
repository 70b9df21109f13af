# SPDX-License-Identifier: GPL-2.0-only
"""The quality of a machine's timing: methods, fences, K-best, the TSC library."""
