# SPDX-License-Identifier: GPL-2.0-only
"""The output of a guest on its results port, as one text."""

from __future__ import annotations

from kmark.errors import Failure
from kmark.guest.vm import Outcome
from kmark.progress import Progress, parse_progress


class Output:
    """Keeps what the guest prints; its lines DONE/TOTAL move `progress`, if there is
    one, as those of part number `part` of `parts` equal ones."""

    def __init__(self, progress: Progress | None = None, part: int = 0, parts: int = 1) -> None:
        self._progress = progress
        self._part, self._parts = part, parts
        self._kept: list[bytes] = []
        self._partial = b""

    def write(self, data: bytes) -> None:
        *whole, self._partial = (self._partial + data).split(b"\n")
        for line in whole:
            numbers = parse_progress(line.decode(errors="replace")) if self._progress else None
            if self._progress and numbers:
                self._progress.show_part(self._part, self._parts, *numbers)
            else:
                self._kept.append(line)

    def flush(self) -> None:
        """Lines are passed on as they come."""

    def text(self) -> str:
        return b"\n".join([*self._kept, self._partial]).decode(errors="replace")


def checked_text(env: str, outcome: Outcome, output: Output, script: str) -> str:
    """Return the output of the guest. Failure if the guest failed, with the end of its console log, or if
    `script`, which ran in it, failed, with the end of the output; `env` names the guest in the message."""
    if outcome.trouble:
        raise Failure(f"{env}: {outcome.trouble}\n{outcome.excerpt}")
    if outcome.status:
        raise Failure(f"{env}: {script} ended with {outcome.status}:\n{output.text()[-2000:]}")
    return output.text()
