# SPDX-License-Identifier: GPL-2.0-only
"""Reports of many machines: checked against their raw data, stored, asked and exported."""
