# SPDX-License-Identifier: GPL-2.0-only
"""What the documents that the project answers have printed: the 2006 thread and others."""
