# SPDX-License-Identifier: GPL-2.0-only
"""Recordings for tools that do not read the Common Trace Format."""
