# SPDX-License-Identifier: GPL-2.0-only
"""The tables of the store: their names, their columns and the contents of these."""

from __future__ import annotations

from datetime import datetime

ADDED = "add-*"  # folders in the store
REPORTS = "reports"  # the table with a row for each report
# The lists of a report that are tables, and their names as such.
TABLES = {"cases": "cases", "site": "sites", "versus": "versus", "toggle": "toggles", "null": "nulls"}

# Columns of every row; times are in UTC.
COMMON = {"digest": str, "created": datetime, "host": str, "env": str, "arch": str,
          "kernel_text": str, "cpu_text": str}  # fmt: skip
NAMED = {"shape": str, "variant": str, "state": str, "unit": str}
COLUMNS = {
    "cases": NAMED | {
        "loops": int, "sites": int, "samples": int, "dropped": int, "per_loop": float,
        "per_loop_lo": float, "per_loop_hi": float, "added": float, "added_lo": float, "added_hi": float,
        "resolution": float, "status": str,
    },
    "nulls": {"shape": str, "state": str, "unit": str, "samples": int, "dropped": int, "added": float,
              "added_lo": float, "added_hi": float, "resolution": float, "status": str},
    "sites": NAMED | {"twice": str, "sites": int, "cost": float, "cost_lo": float, "cost_hi": float,
                      "linear": bool},
    "versus": NAMED | {"twice": str, "against": str, "sites": int, "difference": float,
                       "difference_lo": float, "difference_hi": float, "resolution": float,
                       "resolved": bool},
    "toggles": {"what": str, "state": str, "unit": str, "sites": int, "transactions": int,
                "samples": int, "per_site": float, "per_site_lo": float, "per_site_hi": float},
}  # fmt: skip
REPORT_COLUMNS = {"digest": str, "created": COMMON["created"], "host": str, "folder": str}
