# SPDX-License-Identifier: GPL-2.0-only
"""Recording events: the session of the probe ctf, and traces on disk."""
