# SPDX-License-Identifier: GPL-2.0-only
"""The errors that end a command with one line on stderr."""

from __future__ import annotations


class Failure(Exception):
    """Something failed; the message says what and where, in one line. Exit status 1."""

    status = 1


class Usage(Failure):
    """The command line asks for something impossible. Exit status 2."""

    status = 2


class Incomparable(Failure):
    """There is nothing that could be compared. Exit status 3."""

    status = 3
