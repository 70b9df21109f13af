# SPDX-License-Identifier: GPL-2.0-only
"""Configuration and build command of a kernel, for each architecture."""

from __future__ import annotations

import dataclasses
import io
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any
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


MAKEFILE = """\
allnoconfig:
	grep -v -e LOST -e MARKERS $(KCONFIG_ALLCONFIG) >.config
olddefconfig: ; echo CONFIG_OLD=y >>.config
bzImage modules linux:
	@echo '  CC      $@.o'
	@echo '  LD      $@'
	@echo 'HOSTLD: some error' >&2; test -z "$(FAIL)"
	ls drivers/gpu >tools/y
	cp /bin/true vmlinux; cp tools/x linux; touch arch/$(ARCH)/boot/bzImage System.map $@.o tools/kept.o
	mkdir -p include/config && echo 6.1.0-own >include/config/kernel.release
modules_install: ; mkdir -p $(INSTALL_MOD_PATH)/lib
"""


class Builds(unittest.TestCase):
    """A source of a few files, whose Makefile does as Linux'."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))
        self.enterContext(mock.patch("kmark.cache.install"))
        top = self.folder / "linux-1"
        for name in (
            "arch/x86/boot/x",
            "arch/um/boot/x",
            "tools/x",
            "drivers/gpu/x.c",
            "drivers/x",
            "scripts/s.o",
        ):
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            (top / name).touch()
        (top / "Makefile").write_text(MAKEFILE)
        (top / "link").symlink_to("drivers")
        self.source = self.folder / "source.tar"
        subprocess.run(["tar", "-cf", self.source, "-C", self.folder, "linux-1"], check=True)
        self.config = self.folder / "fragment"
        self.config.write_text("CONFIG_A=y\nCONFIG_MARKERS=y\n")

    def build(self, **more: Any) -> list[str]:
        """Return the names of the files of the kernel, with the ends of links."""
        place = self.folder / "place"
        recipe = tree.Recipe("6.1", False, (self.config,), **more)
        tree.build_at(place, recipe, self.source)
        return sorted(str(path.relative_to(place)) for path in place.rglob("*") if not path.is_dir())

    def test_what_modules_and_guests_need_is_kept(self) -> None:
        kept = [".config", "Makefile", "System.map", "arch/x86/boot/bzImage", "arch/x86/boot/x"]
        kept += ["boot/vmlinux-6.1.0-own", "boot/vmlinuz-6.1.0-own", "include/config/kernel.release"]
        kept += ["scripts/s.o", "tools/kept.o", "tools/x", "tools/y", "vmlinux"]
        self.assertEqual(self.build(), kept)
        self.assertTrue((self.folder / "place/installed/lib").is_dir())
        self.assertEqual((self.folder / "place/.config").read_text(), "CONFIG_A=y\n")
        self.assertEqual((self.folder / "files").read_text(), "2\n")
        self.assertEqual(sorted(path.name for path in self.folder.glob("build.*")), [])

    def test_a_kernel_with_kasan_is_started_packed(self) -> None:
        self.config.write_text("CONFIG_KASAN=y\n")
        self.assertNotIn("boot/vmlinux-6.1.0-own", self.build())

    def test_user_mode_linux_is_a_program(self) -> None:
        """Made of a source with a diff and a mail, of which the second changes the lines of the first."""
        diff = "--- a/tools/x\n+++ b/tools/x\n@@ -0,0 +1 @@\n+one\n"
        mail = diff.replace("@@ -0,0 +1 @@\n+one", "@@ -1 +1 @@\n-one\n+two")
        patches = [self.folder / "x.diff", self.folder / "x.patch"]
        patches[0].write_text(diff)
        patches[1].write_text(f"From: a <a@b>\nSubject: [PATCH] x\n\nx\n---\n{mail}--\n2\n")
        with mock.patch.object(tree.Recipe, "patches", lambda _: patches):
            self.assertEqual(self.build(arch=tree.UML), [".config", "System.map", "linux"])
        self.assertEqual((self.folder / "place/linux").read_text(), "two\n")
        self.assertEqual((self.folder / "files-um").read_text(), "1\n")

    def test_a_whole_configuration(self) -> None:
        self.build(config=self.config)
        self.assertEqual(
            (self.folder / "place/.config").read_text(), "CONFIG_A=y\nCONFIG_MARKERS=y\nCONFIG_OLD=y\n"
        )

    def test_drivers_are_left_out_but_where_a_whole_configuration_may_have_them(self) -> None:
        for base, names in ((None, ""), (self.config, "x.c\n")):
            self.build(base=base)
            self.assertEqual((self.folder / "place/tools/y").read_text(), names)
            shutil.rmtree(self.folder / "place")

    def test_an_option_that_the_kernel_drops_is_named(self) -> None:
        self.config.write_text("CONFIG_A=y\nCONFIG_LOST=y\nCONFIG_MARKERS=y\n")
        with self.assertRaisesRegex(Failure, "^Linux 6.1 drops from its configuration: CONFIG_LOST=y$"):
            self.build()

    def test_what_fails_is_shown(self) -> None:
        (self.folder / "linux-1/Makefile").write_text(MAKEFILE.replace("$(FAIL)", "x"))
        subprocess.run(["tar", "-cf", self.source, "-C", self.folder, "linux-1"], check=True)
        with self.assertRaisesRegex(Failure, f"^the kernel cannot be built; see {self.folder}/place.log$"):
            self.build()
        self.assertIn("kmark: HOSTLD: some error\n", self.said.getvalue())
        self.source.write_text("no archive")
        with self.assertRaisesRegex(Failure, r"^tar -xf .*source.tar ... failed, as the lines above say$"):
            self.build()
        self.assertIn("kmark: tar: ", self.said.getvalue())
        self.assertFalse((self.folder / "place").exists())
