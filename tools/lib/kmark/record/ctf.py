# SPDX-License-Identifier: GPL-2.0-only
"""Metadata of a trace in the Common Trace Format 1.8, as text (TSDL). layout.py has the described
structures, ctf2.py does the same in version 2. Only text is made here; recording.py has the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kmark.foreign import valid
from kmark.record import clock, layout
from kmark.record.clock import Clock
from kmark.record.layout import Event, Field


def escaped(character: str) -> str:
    """Return a character of a text in TSDL. TSDL cannot have a NUL, so U+FFFD replaces it."""
    if character in '"\\':
        return f"\\{character}"
    if character < " " or character == "\x7f":
        return "\\n" if character == "\n" else f"\\{ord(character):03o}" if ord(character) else "\ufffd"
    return character


def quoted(text: str) -> str:
    return f'"{"".join(map(escaped, valid(text)))}"'


def field_text(field: Field, mark: str = "", indent: int = 8) -> str:
    """MARK stands before its name."""
    array = "" if field.length is None else f"[{field.length}]"
    traits = f"size = {field.bits or 8}; align = {field.align}; signed = {str(field.signed).lower()};"
    if field.base != 10:
        traits += f" base = {field.base};"
    if field.role.endswith("default-clock-timestamp"):
        traits += f" map = clock.{clock.NAME}.value;"
    if not field.bits:
        kind = f"integer {{ {traits} encoding = UTF8; }}" if array else "string { encoding = UTF8; }"
    else:
        kind = f"integer {{ {traits} }}"
    if field.names:
        values = ", ".join(f"{quoted(name)} = {value}" for name, value in field.names.items())
        kind = f"enum : {kind} {{ {values} }}"
    return f"{' ' * indent}{kind} {mark}{field.name}{array};\n"


def struct_text(name: str, fields: Iterable[Field], arguments: Iterable[Field] = ()) -> str:
    """The name of an argument may be a word of TSDL, so it gets an underscore, which readers take off;
    and another one if a field is called so already."""
    taken = {field.name for field in fields}
    body = [field_text(field) for field in fields]
    body += [field_text(field, "__" if field.name in taken else "_") for field in arguments]
    return f"    {name} := struct {{\n{''.join(body)}    }};\n"


def header_text() -> str:
    """Return the header of an event, as LTTng describes it."""
    values = ", ".join(f"{form.name} = {form.first} ... {form.last}" for form in layout.FORMS)
    forms = "".join(
        f"            struct {{\n{fields}            }} {form.name};\n"
        for form in layout.FORMS
        for fields in ["".join(field_text(field, indent=16) for field in form.fields)]
    )
    number = layout.EVENT_ID
    kind = f"integer {{ size = {number.bits}; align = {number.align}; signed = false; }}"
    return f"""    event.header := struct {{
        enum : {kind} {{ {values} }} {number.name};
        variant <{number.name}> {{
{forms}        }} v;
    }} align(8);
"""


def event_text(event: Event) -> str:
    """Stacks are fields: babeltrace2 2.0.4 aborts at a sequence in the context of an event class."""
    context = struct_text("context", event.context) if event.context else ""
    return f"""
event {{
    name = {quoted(event.name)};
    id = {event.id};
    stream_id = 0;
{context}{struct_text("fields", event.stacks, event.arguments)}}};
"""


def clock_text(found: Clock, uuid: str) -> str:
    """Return the description of the clock, which counts from 1970 (absolute): babeltrace2 merges a trace
    with LTTng's only if both are absolute."""
    seconds, rest = clock.offset(found)
    return f"""
clock {{
    name = {clock.NAME};
    uuid = "{uuid}";
    description = "{clock.SOURCES[found.source]}";
    freq = {found.hz};
    offset_s = {seconds};
    offset = {rest};
    absolute = TRUE;
}};
"""


def metadata(
    trace: str, found: Clock, boot: str, rows: Iterable[Mapping[str, str]], facts: Mapping[str, str]
) -> str:
    """The whole text. `trace`: its uuid. `boot`: the id of the kernel's boot, which its clocks share.
    `rows`: of ctf/events. `facts`: for the reader of the trace; keys are identifiers."""
    environment = "".join(f"    {key} = {quoted(value)};\n" for key, value in facts.items())
    return f"""/* CTF 1.8 */

trace {{
    major = 1;
    minor = 8;
    uuid = "{trace}";
    byte_order = le;
{struct_text("packet.header", layout.PACKET_HEADER)}}};

env {{
{environment}}};
{clock_text(found, boot)}
stream {{
    id = 0;
{struct_text("packet.context", layout.PACKET_CONTEXT)}{header_text()}}};
{"".join(map(event_text, layout.events(rows)))}"""
