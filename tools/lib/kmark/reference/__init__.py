# SPDX-License-Identifier: GPL-2.0-only
"""Figures printed in the documents that the project answers: the 2006 thread and others."""
