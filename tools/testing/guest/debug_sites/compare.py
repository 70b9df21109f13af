# SPDX-License-Identifier: GPL-2.0-only
"""compare.py TRACE LOG: compare events of debug sites, as ftrace prints them, with the messages that
dynamic debug printed of the same calls ("+pm": with the module's name in front). The log has levels.

Prints how many of each there are, and the first that have no partner. Status 1 if there is one."""

import re
import sys
from collections import Counter
from pathlib import Path

SHOWN = 15
INTERFACE = r"bond\d|dummy\d|usb\d"
# netdev_dbg() prints no module; where the device has a parent it prints the parent and its driver, too.


def plain(text: str) -> str:
    """The text with pointers as printk() has them, without blanks at its end."""
    text = re.sub(r"\b0x0\b", "0" * 16, text)
    return re.sub(r"\b0x(ffff[0-9a-f]{12})\b", r"\1", text).rstrip()


def main(trace: str, log: str) -> int:
    sites: set[tuple[str, str]] = set()
    events: Counter[str] = Counter()
    for line in Path(trace).read_text(errors="surrogateescape").split("\n"):
        if found := re.match(r".*? debug_(\w+)/(\S+?): (.*)\Z", line):
            sites.add((found[1], found[2]))
            events[plain(f"{found[1]}: {found[3]}")] += 1
    modules = {module for module, _ in sites}
    messages: Counter[str] = Counter()
    for line in Path(log).read_text(errors="surrogateescape").split("\n"):
        if not (found := re.match(r"<\d*7>\[[^]]*\] (.*)\Z", line)):
            continue
        text = plain(found[1])
        text = re.sub(rf"^(\w+: )?(?:(?:g_ether|cdc_ether) \S+ )?({INTERFACE})(?: \(un[a-z]*\))?: ", r"\1\2: ", text)
        if re.match(INTERFACE, text):
            text = f"bonding: {text}"
        if text.partition(":")[0] in modules:
            messages[text] += 1
    print(f"{events.total()} events of {len(sites)} sites in {len(modules)} modules; "
          f"{messages.total()} messages")  # fmt: skip
    differ = 0
    for what, alone in (("event", events - messages), ("message", messages - events)):
        differ += alone.total()
        for text, count in list(alone.items())[:SHOWN]:
            print(f"{count} times an {what} alone: {text!r}")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
