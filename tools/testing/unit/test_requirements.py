# SPDX-License-Identifier: GPL-2.0-only
"""The lock of Python packages: it has what pyproject.toml names, with hashes, and from PyPI."""

from __future__ import annotations

import re
import tomllib
import unittest

from kmark.cache import TOOLS

NAME = re.compile(r"[a-z0-9-]+")


class Lock(unittest.TestCase):
    def setUp(self) -> None:
        self.text = (TOOLS / "uv.lock").read_text()
        self.packages = tomllib.loads(self.text)["package"]

    def test_it_has_what_each_group_names(self) -> None:
        project = tomllib.loads((TOOLS / "pyproject.toml").read_text())
        (locked,) = (one["metadata"] for one in self.packages if one["name"] == project["project"]["name"])

        def names(words: list[str]) -> list[str]:
            return sorted(found[0] for word in words if (found := NAME.match(word)))

        wanted = {"": project["project"]["dependencies"], **project["dependency-groups"]}
        found = {"": locked["requires-dist"], **locked["requires-dev"]}
        self.assertEqual(
            {group: names(words) for group, words in wanted.items()},
            {group: sorted(one["name"] for one in packages) for group, packages in found.items()},
        )

    def test_each_package_has_hashes_and_comes_from_pypi(self) -> None:
        self.assertEqual(
            set(re.findall(r"https?://([^/\"]+)", self.text)), {"pypi.org", "files.pythonhosted.org"}
        )
        for package in self.packages:
            if package["source"] != {"virtual": "."}:
                self.assertEqual(package["source"], {"registry": "https://pypi.org/simple"})
                self.assertTrue(package["wheels"], package["name"])
                for wheel in package["wheels"]:
                    self.assertRegex(wheel["hash"], "^sha256:[0-9a-f]{64}$", package["name"])
