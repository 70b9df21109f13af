# SPDX-License-Identifier: GPL-2.0-only
"""From raw data to figures: the reader of raw data, and the statistics."""
