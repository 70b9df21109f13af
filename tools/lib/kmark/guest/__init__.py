# SPDX-License-Identifier: GPL-2.0-only
"""Guests: QEMU and User-Mode Linux, their input and their output."""
