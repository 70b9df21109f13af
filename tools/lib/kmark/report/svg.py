# SPDX-License-Identifier: GPL-2.0-only
"""Makes the SVG of matplotlib several times smaller, without a change of what is seen: styles
become classes, what neighbours have in common stands on a group of them, no name is there that
nothing refers to, no group that says nothing, and coordinates have one decimal.

A class is named by its style, so that plots on one page cannot disagree about one."""

from __future__ import annotations

import hashlib
import re
from itertools import groupby, pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG, XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
# Styles that the root sets for all elements.
COMMON = ("stroke-linejoin: round", "stroke-linecap: butt", "font-family: 'DejaVu Sans', sans-serif")
PLACES = ("d", "x", "y", "width", "height", "viewBox", "transform", "points")
REFERENCE = re.compile(r"#([\w.-]+)")
NUMBER = re.compile(r"-?\d+\.\d+")
BESIDE_LETTER = re.compile(r" ?([A-Za-z]) ?")
POINT = re.compile(r"([ML])(\S+) ([^A-Za-z ]+)")
CURVE = re.compile("[CQ]")
STYLES = re.compile(r"<style>(.*?)</style>")
DOT = re.compile(r"M(\S+) (\S+)H\1(?=$|M)")
SHARED = ("class", "clip-path", "transform")
ENOUGH = 3  # neighbours for a group


def short_name(text: str) -> str:
    """A name that another text does not get, and that may stand wherever XML wants a name."""
    return "k" + hashlib.sha256(text.encode()).hexdigest()[:5]


def coordinates(text: str) -> str:
    """Return numbers with one decimal: a tenth of 1/72 inch."""
    rounded = NUMBER.sub(lambda found: f"{float(found[0]):z.1f}".removesuffix(".0"), text)
    return " ".join(rounded.split())


def straight(path: str) -> str:
    """A path whose level and upright lines are written as such; one with curves is as before."""
    before = ("", "")

    def shorter(found: re.Match[str]) -> str:
        nonlocal before
        letter, *point = found.groups()
        last, before = before, (point[0], point[1])
        if letter == "L" and last[1] == point[1]:
            return f"H{point[0]}"
        return f"V{point[1]}" if letter == "L" and last[0] == point[0] else found[0]

    return path if CURVE.search(path) else POINT.sub(shorter, path)


def shorter(path: str) -> str:
    """Return a path without superfluous parts; dots in one row each by the distance to the last one."""
    path = straight(BESIDE_LETTER.sub(r"\1", path))
    dots = DOT.findall(path)
    if not dots or DOT.sub("", path) or len({row for _, row in dots}) > 1:
        return path
    places = [float(place) for place, _ in dots]
    steps = (f"m{after - before:.1f} 0h0" for before, after in pairwise(places))
    return f"M{dots[0][0]} {dots[0][1]}h0" + "".join(step.replace(".0 ", " ") for step in steps)


def style_of(node: Element) -> str:
    """Return the style of a node, without the part that the root has, too."""
    parts = (part.strip() for part in node.attrib.pop("style", "").split(";"))
    return ";".join(part.replace(": ", ":") for part in parts if part and part not in COMMON)


def tidy(node: Element, styles: dict[str, str]) -> None:
    """One node. `styles`: by class."""
    for key in PLACES:
        if key in node.attrib:
            node.set(key, coordinates(node.get(key, "")))
    if path := node.get("d"):
        node.set("d", shorter(path))
    if node.get("transform", "").startswith("rotate(-0 "):
        del node.attrib["transform"]
    if target := node.attrib.pop(f"{XLINK}href", ""):
        node.set("href", target)
    if style := style_of(node):
        name = short_name(style)
        styles[name] = style
        node.set("class", name)
    node.text, node.tail = node.text if node.text and node.text.strip() else None, None


def may_have(node: Element, more: dict[str, str]) -> bool:
    """True if the only member of a group may have the attributes of the group. A clip path must not move
    with a moved member."""
    moved = node.tag == f"{SVG}use" or "transform" in node.attrib
    return not (node.attrib.keys() & more.keys() or (moved and "clip-path" in more))


def without_empty_groups(node: Element) -> None:
    """Puts the members of a group that says nothing into its place, and the only member of any
    group; drops empty definitions."""
    kept: list[Element] = []
    for child in node:
        without_empty_groups(child)
        if child.tag == f"{SVG}g" and not child.attrib:
            kept.extend(child)
        elif child.tag == f"{SVG}g" and len(child) == 1 and may_have(child[0], child.attrib):
            child[0].attrib.update(child.attrib)
            kept.append(child[0])
        elif child.tag != f"{SVG}defs" or len(child):
            kept.append(child)
    node[:] = kept


def look(node: Element) -> tuple[str, ...]:
    return tuple(node.get(key, "") for key in SHARED)


def merged(alike: list[Element]) -> Element:
    """Neighbours of the same look as one: paths as a path, others as a group."""
    looks = {key: value for key, value in zip(SHARED, look(alike[0]), strict=True) if value}
    paths = [node.get("d", "") for node in alike if set(node.attrib) <= {"d", *SHARED}]
    if len(paths) == len(alike) and all(paths):
        return ElementTree.Element(f"{SVG}path", {"d": "".join(paths), **looks})
    group = ElementTree.Element(f"{SVG}g", looks)
    group[:] = alike
    for node in alike:
        for key in SHARED:
            node.attrib.pop(key, None)
    return group


def merge_alike(parent: Element) -> None:
    """Merge marks of one kind, which stand in rows and do not cover each other."""
    kept: list[Element] = []
    for found, run in groupby(list(parent), key=look):
        alike = list(run)
        if len(alike) < ENOUGH or not any(found) or parent.tag == f"{SVG}defs":
            kept.extend(alike)
        else:
            kept.append(merged(alike))
    parent[:] = kept


def rename(root: Element) -> None:
    """Give each referenced element a short name, and remove all other names."""
    values = [value for node in root.iter() for key, value in node.attrib.items() if key != "id"]
    used = dict.fromkeys(name for value in values for name in REFERENCE.findall(value))
    names = {name: f"i{number}" for number, name in enumerate(used)}
    for node in root.iter():
        for key, value in list(node.attrib.items()):
            if key != "id":
                node.set(key, REFERENCE.sub(lambda found: "#" + names.get(found[1], found[1]), value))
            elif value in names:
                node.set("id", names[value])
            else:
                del node.attrib["id"]


def compact(source: str) -> str:
    """Return the picture in fewer bytes."""
    root = ElementTree.fromstring(source)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{SVG}metadata", f"{SVG}style"):
                parent.remove(child)
    styles: dict[str, str] = {}
    for node in root.iter():
        tidy(node, styles)
    rename(root)
    without_empty_groups(root)
    for node in list(root.iter()):
        merge_alike(node)
    root.set("style", ";".join(COMMON).replace(": ", ":"))
    looks = ElementTree.Element(f"{SVG}style")
    looks.text = "".join(f".{name}{{{style}}}" for name, style in styles.items())
    root.insert(0, looks)
    ElementTree.register_namespace("", SVG[1:-1])
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")


def styles(source: str) -> list[str]:
    """The rules of a compact() picture."""
    return [f"{rule}}}" for found in STYLES.findall(source) for rule in found.split("}") if rule]


def without_styles(source: str) -> str:
    return STYLES.sub("", source)
