# SPDX-License-Identifier: GPL-2.0-only
"""The command line of the marker laboratory: measure, report, connect, verify."""
