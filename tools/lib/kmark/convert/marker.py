# SPDX-License-Identifier: GPL-2.0-only
"""A marker with the fields of an event, as C."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kmark.convert import assign, text
from kmark.convert.assign import BYTES_MAX
from kmark.convert.fields import ARRAY, COMM, NUMBER, SOCKADDR, STRUCT, Field, Refused, read
from kmark.convert.headers import Event
from kmark.convert.sizes import Types
from kmark.convert.target import Target

CONVERSION = re.compile(r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(hh|h|ll|l|z|t)?([a-zA-Z]))")
SOURCE = re.compile(r"__entry->(\w+)|__get_str\((\w+)\)")
CAST = re.compile(
    r"\((?:unsigned |signed )?(?:char|short|int|long|long long|void \*|[su]\d+)\)\s*(?=__entry)"
)
BEFORE = re.compile(r"(\w+)(?:=|: |:|= )$")
# Functions that set the work flag of system calls.
SYSCALL_FUNCTIONS = "syscall_regfunc syscall_unregfunc"
SHORT = {"": 4, "h": 2, "hh": 1, "l": 8, "ll": 8, "z": 8, "t": 8}


@dataclass(frozen=True)
class Marker:
    """A marker for an event. `same_text`: its format is that of TP_printk(), else a list of the fields;
    `types`: types of the fields of its event, as tracefs shows them."""

    event: Event
    fields: list[Field]
    format: str
    same_text: bool
    types: list[str]
    code: str = field(repr=False)

    @property
    def alike(self) -> bool:
        """True if all fields have the size, the sign and the kind that they had."""
        return all(one.same for one in self.fields)


@dataclass(frozen=True)
class Argument:
    """A field in the MARK(): its conversion, its value, and its assertions."""

    conversion: str
    value: str
    holds: str = ""


def text_argument(one: Field, value: str, target: Target) -> Argument:
    """A text: a string as it is, an array of characters up to its length, others as bytes."""
    address, chars = f"(const void *)({value})", f"(const char *)({value})"
    if one.kind == SOCKADDR:
        return Argument(target.address, address)
    # A name of a task ends with a 0; other arrays need not.
    if one.kind != ARRAY or one.length == COMM:
        return Argument("%s", chars)
    assert one.count
    holds = "" if one.length.isdecimal() else f"\tstatic_assert({one.length} == {one.count});\n"
    if one.is_char:
        return Argument(f"%.{one.count}s", chars, holds)
    if not one.type:
        raise Refused(f"an array of {one.written}")
    return Argument(f"%{one.type.size * one.count}ph", address, holds)


def shown(one: Field, conversion: str, target: Target) -> str:
    """The type of the field of the marker's event."""
    if one.is_text or not one.type:
        is_array = target.is_tree and conversion.endswith("ph")
        return f"u8[{conversion[1:-2]}]" if is_array else "__data_loc char[]"
    if not target.is_tree or one.type.pointer:
        return one.type.shown
    return f"{'s' if one.type.signed else 'u'}{8 * one.type.size}"


def argument(one: Field, value: str, made: assign.Function | None, target: Target) -> Argument:
    if one.kind == ARRAY and not one.is_char and one.type and one.type.size * (one.count or 0) > BYTES_MAX:
        raise Refused(f"an array of more than {BYTES_MAX} bytes")
    if made and made.size:
        return Argument("%s", value)
    if one.kind != NUMBER:
        return text_argument(one, value, target)
    assert one.type
    cast = "const void *" if one.type.pointer else one.written
    return Argument(one.type.conversion, f"({cast})({value})")


def printed(event: Event, fields: list[Field]) -> str | None:
    """The format of TP_printk() if a marker with these fields has the same text."""
    parts = text.split(event.of.print)
    if re.sub(r'"(?:[^"\\]|\\.)*"', "", parts[0]).strip():
        return None
    form = "".join(text.STRING.findall(parts[0]))
    conversions = [match for match in CONVERSION.finditer(form) if match[0] != "%%"]
    if not len(conversions) == len(parts) - 1 == len(fields):
        return None
    behind = 0
    for one, match, value in zip(fields, conversions, parts[1:], strict=True):
        name = SOURCE.fullmatch(CAST.sub("", value))
        before = BEFORE.search(form[behind : match.start()])
        if not name or one.name not in name.groups() or not before or before[1] != one.name:
            return None
        # A %pS and the like is a text, where the field was an address.
        is_text = match[2] == "p" and form[match.end() : match.end() + 1].isalnum()
        if "*" in match[0] or is_text or not fits(one, match[1] or "", match[2]):
            return None
        behind = match.end()
    return form if "%%" not in form and "\\" not in form else None


def fits(one: Field, length: str, letter: str) -> bool:
    """True if a conversion of printf() takes the argument that a marker has for the field."""
    if one.kind != NUMBER:
        return letter == "s" and (not one.length or one.length == COMM)
    assert one.type
    if one.type.pointer:
        return letter == "p"
    wanted = {"l": "l", "ll": "ll"}.get(one.type.length, "")
    if wanted:
        return letter in "diuxXo" and length == wanted
    # An argument shorter than int is passed as int.
    return letter in "diuxXoc" and (not length or SHORT[length] == one.type.size)


def helper(event: Event, one: Field, fields: list[Field], made: assign.Function) -> str:
    """Return a function that returns a field: a number, or the address of a text. A text that it makes
    itself is in an array of the caller."""
    entry = "".join(
        f"\t\t{other.written} {other.name}{f'[{other.length}]' if other.kind == ARRAY else ''};\n"
        for other in fields
        if other.kind in (NUMBER, ARRAY, STRUCT)
    )
    returns = "const char *" if made.size else "const void *" if one.is_text else f"{one.written} "
    proto = f"char *__text, {event.of.proto}".removesuffix(", void") if made.size else event.of.proto
    used = "\tstruct {\n" + entry + "\t} record = { }, *__entry __maybe_unused = &record;\n\n"
    # Other kinds of fields are cut off at their end.
    is_whole = one.is_made and one.kind in (ARRAY, STRUCT) and not one.is_char
    holds = f"\tstatic_assert(sizeof(__entry->{one.name}) <= {BYTES_MAX});\n" if is_whole else ""
    return (
        f"static inline {returns}mark_{event.name}__{one.name}({proto})\n"
        f"{{\n{used}{holds}\t{made.body};\n\treturn {made.result};\n}}\n\n"
    )


def switch(event: Event) -> str:
    """Return a switch: a function that does the kernel's work for an event that is enabled or disabled."""
    enable, disable = event.functions.split()
    return (
        f"static inline void mark_{event.name}__switch(bool open)\n"
        f"{{\n\tif (open)\n\t\tWARN_ON({enable}());\n\telse\n\t\t{disable}();\n}}\n\n"
    )


def macro_of(event: Event, target: Target) -> str:
    """Return the beginning of the marker. Refused if no macro calls the function that the kernel calls when
    it enables the event."""
    if not event.functions:
        return "MARK("
    if target.switches:
        return f"MARK_BEHIND(mark_{event.name}__switch, "
    if event.functions == SYSCALL_FUNCTIONS:
        return "MARK_SYSCALL("
    raise Refused("functions that are called when it is enabled")


def make(event: Event, types: Types, target: Target) -> Marker:
    """Return the marker for an event. Refused, with the reason, if there is none."""
    if event.condition and event.args != event.of.args:
        raise Refused("a condition on arguments that the class calls otherwise")
    macro = macro_of(event, target)
    fields = read(event.of.entry, types, target)
    body = assign.read(event.of.assign, event.of.proto, fields)
    helpers, buffers, arguments = switch(event) if "__switch" in macro else "", "", []
    for one in fields:
        value, made = body.sources.get(one.name, ""), body.functions.get(one.name)
        if made:
            helpers += helper(event, one, fields, made)
            words = [f"text_{one.name}"] if made.size else []
            buffers += f"\tchar text_{one.name}[{made.size}];\n" if made.size else ""
            value = f"mark_{event.name}__{one.name}({', '.join([*words, *filter(None, [event.of.args])])})"
        arguments.append(argument(one, value, made, target))
    if len(arguments) > target.most:
        raise Refused(f"more than {target.most} arguments")
    form = printed(event, fields)
    listed = " ".join(f"{one.name}={what.conversion}" for one, what in zip(fields, arguments, strict=True))
    code = helpers + write(event, macro, form or listed, arguments, buffers)
    types_ = [shown(one, what.conversion, target) for one, what in zip(fields, arguments, strict=True)]
    return Marker(event, fields, form or listed, form is not None, types_, code)


def write(event: Event, macro: str, form: str, arguments: list[Argument], buffers: str) -> str:
    """The function that stands where the tracepoint stood."""
    before = f"{buffers}\n" if buffers else ""
    before += "".join(one.holds for one in arguments)
    before += f"\tif (!({event.condition}))\n\t\treturn;\n" if event.condition else ""
    words = ",\n\t     ".join([f'{macro}{event.name}, "{form}"', *(one.value for one in arguments)])
    return (
        f"static inline void mark_{event.name}({event.of.proto or 'void'})\n{{\n{before}\t{words});\n}}\n"
    )
