# SPDX-License-Identifier: GPL-2.0-only
"""What a site adds to objects and to vmlinux: code, tables, sizes."""
