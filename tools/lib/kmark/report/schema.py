# SPDX-License-Identifier: GPL-2.0-only
"""Checks a document against its JSON schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from kmark.errors import Failure


def check(document: Any, name: str, schema: Path, source: str) -> None:
    """Failure, with the source and the place, if it is not a `name`."""
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    for problem in sorted(validator.iter_errors(document), key=lambda error: error.json_path):
        raise Failure(f"{source}: not a {name}: {problem.json_path}: {problem.message[:200]}")
