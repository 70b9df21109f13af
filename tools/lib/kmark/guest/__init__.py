# SPDX-License-Identifier: GPL-2.0-only
"""Guests: QEMU and User-Mode Linux, what goes into them and what comes out."""
