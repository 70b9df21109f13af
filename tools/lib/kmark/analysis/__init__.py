# SPDX-License-Identifier: GPL-2.0-only
"""The reader of raw data, and the statistics that make figures of it."""
