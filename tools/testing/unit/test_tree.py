# SPDX-License-Identifier: GPL-2.0-only
"""Configuration and build command of a kernel, for each architecture."""

from __future__ import annotations

import dataclasses
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark.errors import Failure
from kmark.kernel import tree


class Fragments(unittest.TestCase):
    def test_each_architecture_has_its_own_behind_the_common_one(self) -> None:
        names = [path.name for path in tree.fragments(tree.ARM64, "small", "clang")]
        self.assertEqual(names, ["small", "small-arm64", "clang", "clang-arm64"])
        names = [path.name for path in tree.fragments(tree.X86, "small", "debug")]
        self.assertEqual(names, ["small", "debug"])

    def test_the_last_line_about_an_option_wins(self) -> None:
        text = "# a comment\nCONFIG_A=y\nCONFIG_B=y\nCONFIG_C=8\n# CONFIG_A is not set\nCONFIG_C=9\n"
        self.assertEqual(tree.wanted_options(text), ["CONFIG_B=y", "CONFIG_C=9"])

    def test_an_option_may_have_another_name_in_later_versions(self) -> None:
        asked = "CONFIG_A=y\nCONFIG_CFI_CLANG=y\n"
        for name in ("CONFIG_CFI_CLANG=y", "CONFIG_CFI=y"):
            self.assertEqual(tree.dropped(asked, {"CONFIG_A=y", name}), [])
        self.assertEqual(tree.dropped(asked, {"CONFIG_CFI=m"}), ["CONFIG_A=y", "CONFIG_CFI_CLANG=y"])

    def test_arm64_drops_what_only_x86_has(self) -> None:
        text = "".join(path.read_text() for path in tree.FRAGMENTS[tree.ARM64])
        wanted = tree.wanted_options(text)
        self.assertNotIn("CONFIG_PVH=y", wanted)
        self.assertIn("CONFIG_SERIAL_AMBA_PL011_CONSOLE=y", wanted)
        self.assertIn("CONFIG_MARKERS=y", wanted)


class Recipes(unittest.TestCase):
    def test_compilers(self) -> None:
        arm64 = tree.Recipe("6.12", fragments=tree.FRAGMENTS[tree.ARM64], arch=tree.ARM64)
        self.assertEqual(arm64.toolchain, ["CROSS_COMPILE=aarch64-linux-gnu-"])
        self.assertEqual(arm64.kind, "arm64-patched")
        clang = dataclasses.replace(arm64, fragments=tree.fragments(tree.ARM64, "small", "clang"))
        self.assertEqual(clang.toolchain, ["LLVM=-19"])
        self.assertEqual(tree.Recipe("6.12").toolchain, [])

    def test_the_distribution_has_what_a_guest_boots_with_and_no_modules(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            boot = Path(name) / "boot"
            boot.mkdir()
            (boot / "vmlinuz-6.1").touch()
            (boot / "config-6.1").write_text("CONFIG_A=y\nCONFIG_B=m\n")
            with mock.patch("kmark.cache.place", return_value=Path(name)):
                recipe = tree.Recipe.distribution("6.1", patched=False)
                assert recipe.base
                self.assertEqual(
                    tree.without_modules(recipe.base.read_text()), "CONFIG_A=y\n# CONFIG_B is not set\n"
                )
                self.assertEqual(recipe.fragments, (tree.CONFIGS / "distribution",))
                before = recipe.key(boot / "vmlinuz-6.1")
                recipe.base.write_text("CONFIG_A=y\n")
                self.assertNotEqual(recipe.key(boot / "vmlinuz-6.1"), before)

    def test_a_version_that_the_distribution_does_not_have(self) -> None:
        with self.assertRaisesRegex(Failure, r"no image of Linux 7.2 \(6.1 6.12\)"):
            tree.Recipe.distribution("7.2", patched=False)

    def test_modules_are_built_by_the_compiler_of_their_kernel(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / ".config").write_text("CONFIG_CC_IS_GCC=y\n")
            self.assertEqual(tree.toolchain(folder, tree.X86), [])
            self.assertEqual(tree.toolchain(folder, tree.ARM64), ["CROSS_COMPILE=aarch64-linux-gnu-"])
            (folder / ".config").write_text("CONFIG_CC_IS_CLANG=y\n")
            self.assertEqual(tree.toolchain(folder, tree.ARM64), ["LLVM=-19"])
