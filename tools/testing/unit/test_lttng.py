# SPDX-License-Identifier: GPL-2.0-only
"""What `lttng list` says of lost events."""

from __future__ import annotations

import unittest

from kmark.bench import lttng
from kmark.errors import Failure

LISTING = """
- bench: [enabled]
    Attributes:
      Event-loss mode:  discard
    Statistics:
      Discarded events: {}
"""


class Lost(unittest.TestCase):
    def test_none_lost(self) -> None:
        lttng.check_kept(LISTING.format(0))

    def test_lost_ones_are_an_error(self) -> None:
        for listing in (LISTING.format(12), "      Lost packets: 3\n"):
            with self.assertRaisesRegex(Failure, "(12|3), so the figure"):
                lttng.check_kept(listing)

    def test_a_listing_without_statistics_is_an_error(self) -> None:
        with self.assertRaisesRegex(Failure, "does not say"):
            lttng.check_kept("Recording session kmark-1: [inactive]\n")


if __name__ == "__main__":
    unittest.main()
