# SPDX-License-Identifier: GPL-2.0-only
"""The markers of the running kernel: its files in debugfs and tracefs."""
