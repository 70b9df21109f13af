# SPDX-License-Identifier: GPL-2.0-only
"""Record, count and watch the events of kernel markers.

A marker is a line MARK(NAME, ...) in the source of a module. A probe is a function of another module, such
as count. After kmark connect MARKER PROBE, the marker calls the probe each time when it is executed."""
