# SPDX-License-Identifier: GPL-2.0-only
"""Connect probes to kernel markers, record and watch events, and measure what markers cost."""
