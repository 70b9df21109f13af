# SPDX-License-Identifier: GPL-2.0-only
"""Reports of micro-benchmarks: as JSON, text, page, plots and mail; comparing two."""
