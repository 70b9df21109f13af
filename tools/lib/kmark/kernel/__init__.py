# SPDX-License-Identifier: GPL-2.0-only
"""Kernels: the distribution's, and those built from source with patches/."""
