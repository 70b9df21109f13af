# SPDX-License-Identifier: GPL-2.0-only
"""Sizes that a site adds to objects and to vmlinux: code and tables."""
