# SPDX-License-Identifier: GPL-2.0-only
"""The trace events that a header of include/trace/events defines.

The C preprocessor reads it, with macros of ours in the place of the kernel's, as the kernel
itself does it several times over. Most headers define their events by macros of their own, and
a parser of C does not get behind these without the headers that a configured tree includes.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from kmark import foreign
from kmark.convert import text
from kmark.errors import Failure, Usage

FOLDER = Path("include/trace/events")
# A class with a single event has the name of that event.
STAGE = """
#define TRACE_EVENT(n, proto, args, entry, assign, print) \\
	DECLARE_EVENT_CLASS(n, proto, args, entry, assign, print) KMARK_EVENT(n, n, args, , )
#define TRACE_EVENT_CONDITION(n, proto, args, cond, entry, assign, print) \\
	DECLARE_EVENT_CLASS(n, proto, args, entry, assign, print) KMARK_EVENT(n, n, args, cond, )
#define TRACE_EVENT_FN(n, proto, args, entry, assign, print, reg, unreg) \\
	DECLARE_EVENT_CLASS(n, proto, args, entry, assign, print) KMARK_EVENT(n, n, args, , reg unreg)
#define TRACE_EVENT_FN_COND(n, proto, args, cond, entry, assign, print, reg, unreg) \\
	DECLARE_EVENT_CLASS(n, proto, args, entry, assign, print) KMARK_EVENT(n, n, args, cond, reg unreg)
#define DECLARE_EVENT_CLASS(n, proto, args, entry, assign, print) \\
	KMARK_CLASS(n, proto, args, entry, assign, print)
#define DEFINE_EVENT(class, n, proto, args) KMARK_EVENT(class, n, args, , )
#define DEFINE_EVENT_CONDITION(class, n, proto, args, cond) KMARK_EVENT(class, n, args, cond, )
#define DEFINE_EVENT_FN(class, n, proto, args, reg, unreg) KMARK_EVENT(class, n, args, , reg unreg)
#define DEFINE_EVENT_PRINT(class, n, proto, args, print) KMARK_EVENT(class, n, args, , )
#define TRACE_EVENT_WRITABLE(n, proto, args, size, entry, assign, print) \\
	TRACE_EVENT(n, PARAMS(proto), PARAMS(args), PARAMS(entry), PARAMS(assign), PARAMS(print))
#define DEFINE_EVENT_WRITABLE(class, n, proto, args, size) KMARK_EVENT(class, n, args, , )
#define PARAMS(...) __VA_ARGS__
"""
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(include|if|ifdef|ifndef|elif)\b(.*)$", re.MULTILINE)
OPTION = re.compile(r"\bdefined\s*\(?\s*CONFIG_\w+\s*\)?|\bIS_\w+\s*\(\s*CONFIG_\w+\s*\)|\bCONFIG_\w+\b")
SYSTEM = re.compile(r"^#define\s+TRACE_SYSTEM\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Class:
    """DECLARE_EVENT_CLASS(), its parts as they are between the parentheses."""

    proto: str
    args: str
    entry: str
    assign: str
    print: str


@dataclass(frozen=True)
class Event:
    """An event: `condition` of TP_CONDITION() and `functions` to register it, where it has any;
    `inner`: what its header has only where the tracepoints are made, for all its events."""

    name: str
    header: str
    system: str
    of: Class
    args: str
    condition: str
    functions: str
    inner: str


def with_all_options(match: re.Match[str]) -> str:
    """A directive as in a kernel that has every option; nothing is included."""
    word, rest = match.groups()
    if word == "include":
        return ""
    if word in ("ifdef", "ifndef") and rest.strip().startswith("CONFIG_"):
        return "#if 1" if word == "ifdef" else "#if 0"
    return f"#{word}{OPTION.sub('1', rest)}"


def preprocess(source: str, name: str) -> str:
    """Return the preprocessed source. Failure with the message of the preprocessor."""
    stage = STAGE + DIRECTIVE.sub(with_all_options, source.replace("\\\n", " "))
    command = ["gcc", "-E", "-P", "-undef", "-nostdinc", "-x", "c", "-"]
    done = subprocess.run(command, input=stage, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{name}: {foreign.lines(done.stderr.strip())[0]}")
    return done.stdout


def inner_part(source: str) -> str:
    """The functions between #ifdef CREATE_TRACE_POINTS and its #endif."""
    _, start, rest = source.partition("\n#ifdef CREATE_TRACE_POINTS\n")
    depth, kept = 1, []
    for line in foreign.lines(rest) if start else []:
        depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
        if depth == 0:
            break
        kept.append(line)
    made = "\n".join(kept).strip()
    return f"\n{made}\n" if "{" in made else ""


def read(path: Path, name: str) -> list[Event]:
    """The events of a header, in its order. Failure if it cannot be read."""
    source = path.read_text(errors="replace")
    made = preprocess(source, name)
    try:
        classes = {
            words[0]: Class(*(text.inside(part) for part in words[1:]))
            for _, _, words in text.calls(made, "KMARK_CLASS")
        }
        system = (SYSTEM.findall(source) or [path.stem])[-1]
        inner = inner_part(source)
        events = []
        for _, _, (of, event, args, condition, functions) in text.calls(made, "KMARK_EVENT"):
            if of not in classes:
                raise Failure(f"{name}: {event}: no class {of}")
            when = text.inside(condition) if condition else ""
            own = text.inside(args)
            events.append(Event(event, name, system, classes[of], own, when, functions, inner))
    except (ValueError, TypeError) as wrong:
        raise Failure(f"{name}: no trace event: {wrong}") from None
    return events


def of_tree(tree: Path) -> list[Event]:
    """Return all events of a tree. Usage if the folder is no tree of a kernel."""
    paths = sorted((tree / FOLDER).glob("*.h"))
    if not paths:
        raise Usage(f"convert: {tree}: no {FOLDER}/*.h there")
    return [event for path in paths for event in read(path, str(FOLDER / path.name))]
