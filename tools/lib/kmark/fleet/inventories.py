# SPDX-License-Identifier: GPL-2.0-only
"""Checks an inventory before Ansible reads it, which only warns of much that is malformed: groups of
hosts in YAML, https://docs.ansible.com/ansible-core/devel/inventory_guide/intro_inventory.html"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import yaml

from kmark import foreign
from kmark.errors import Failure
from kmark.report import schema

PARTS = ("hosts", "children", "vars")  # keys of a group


def refuse(path: Path, node: Any, reason: str) -> NoReturn:
    raise Failure(f"{path}:{node.start_mark.line + 1}: not an inventory: {reason}")


def members(path: Path, node: Any, what: str) -> list[tuple[Any, Any]]:
    """Return the keys and values of a mapping; an empty node has none. Failure if the node is no mapping,
    or if a key occurs twice or is no text."""
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null":
        return []
    if not isinstance(node, yaml.MappingNode):
        refuse(path, node, f"{what} has to be a mapping")
    seen = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or not key.value:
            refuse(path, key, f"a name in {what} has to be a text")
        if key.value in seen:
            refuse(path, key, f"{key.value!r} is there twice in {what}")
        seen.add(key.value)
    return list(node.value)


def hosts_of(path: Path, groups: Any, what: str) -> Iterator[str]:
    """The names or ranges of all hosts of some groups. Failure as of members()."""
    for name, group in members(path, groups, what):
        for part, value in members(path, group, f"group {name.value!r}"):
            if part.value not in PARTS:
                refuse(path, part, f"group {name.value!r} has {part.value!r}, no one of {', '.join(PARTS)}")
            if part.value == "children":
                yield from hosts_of(path, value, f"the children of {name.value!r}")
            for key, variables in members(path, value, f"{part.value} of {name.value!r}"):
                if part.value == "hosts":
                    members(path, variables, f"host {key.value!r}")
                    yield key.value


def check(path: Path) -> None:
    """Check an inventory. Failure, with the line, if the file is no inventory or has no hosts."""
    try:
        root = yaml.compose(schema.read(path), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else 1
        raise Failure(f"{path}:{line}: not YAML: {problem.problem}") from None
    except yaml.YAMLError as problem:
        raise Failure(f"{path}:1: not YAML: {foreign.lines(str(problem))[0]}") from None
    except RecursionError:
        raise Failure(f"{path}:1: not an inventory: it is nested too deeply") from None
    if root is None or not set(hosts_of(path, root, "the inventory")) - {"localhost"}:
        raise Failure(f"{path}:1: not an inventory: it has no hosts")
