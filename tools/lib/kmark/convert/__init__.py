# SPDX-License-Identifier: GPL-2.0-only
"""Trace events of a kernel's source as markers: `headers` finds them, `fields` and `assign` say
what they record, `marker` writes C."""
