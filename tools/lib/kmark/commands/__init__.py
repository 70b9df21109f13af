# SPDX-License-Identifier: GPL-2.0-only
"""The verbs of kmark: each module adds its own to the command line."""
