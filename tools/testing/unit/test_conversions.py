# SPDX-License-Identifier: GPL-2.0-only
"""The conversions of printk() in a source: formats are found, counted, and named with what is recorded."""

from __future__ import annotations

import unittest

from kmark.kernel import conversions

SOURCE = r"""
    printk(KERN_INFO "a %d%% of %s\n",
           n, name);
    dev_dbg(&dev->dev, "mac %pM " "ip %pI4h"
        "\n", mac, ip);
    pr_warn_once("%.*s: %*ph %4ph %-8lu\n", 3, s, 2, b, b, n);
    pr_err(NAME, other("%x"));
    snprintf(text, size, "%u", n);
    netdev_info(netdev, DRIVER ": %pISpc %pOF %p\n", a, b, c);
"""


class Conversions(unittest.TestCase):
    def test_formats_of_calls(self) -> None:
        self.assertEqual(
            list(conversions.formats(SOURCE)),
            [
                r"a %d%% of %s\n", r"mac %pM ip %pI4h\n", r"%.*s: %*ph %4ph %-8lu\n",
                r": %pISpc %pOF %p\n",
            ],
        )  # fmt: skip

    def test_rows(self) -> None:
        total, found = conversions.count(iter([SOURCE]))
        self.assertEqual(total, 4)
        rows = {row.name: (row.count, row.series, row.markers_ko) for row in conversions.rows(found)}
        self.assertEqual(
            rows,
            {
                "%d": (2, "number", "number"), "%s": (1, "text", "text"), "%pM": (1, "bytes", "decoded"),
                "%pI4h": (1, "bytes", "decoded"), "%.*s": (1, "text", "text"),
                "%*ph": (1, "rendered", "decoded"), "%Nph": (1, "bytes", "decoded"),
                "%pISpc": (1, "rendered", "decoded"), "%pOF": (1, "rendered", "refused"),
                "%p": (1, "address", "address"),
            },
        )  # fmt: skip
