# SPDX-License-Identifier: GPL-2.0-only
"""Kernels made from the distribution's source: unpacked, patched, configured and
built in the cache, where the result stays until what went into it changes."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign, lock
from kmark.errors import Failure, say
from kmark.kernel import given_patch, patchset
from kmark.kernel.package import Kernel
from kmark.kernel.version import table
from kmark.progress import Progress

CONFIGS = patchset.PATCHES / "config"
UML, X86, ARM64 = "um", "x86", "arm64"


def fragments(arch: str, *names: str) -> tuple[Path, ...]:
    """Return the files of configurations by name, each followed by its file for that architecture."""
    wanted = [CONFIGS / word for name in names for word in (name, f"{name}-{arch}")]
    return tuple(path for path in wanted if path.exists())


FRAGMENTS = {
    X86: fragments(X86, "small"),
    ARM64: fragments(ARM64, "small"),
    UML: (cache.TOOLS / "vm/uml.config", CONFIGS / "uml"),
}
# Without it User-Mode Linux of some versions does not run on a CPU with AMX.
UML_REGISTERS = cache.TOOLS / "vm/uml-registers.patch"
# Clang of Debian 12: its options of a kernel, and the suffix of its programs; without it, gcc.
CLANG = CONFIGS / "clang"
LLVM = "LLVM=-19"
CROSS = "aarch64-linux-gnu-"
TARGETS = {X86: ["bzImage", "modules"], ARM64: ["Image", "modules"], UML: ["linux"]}
IMAGES = {X86: "bzImage", ARM64: "Image"}
GIT = ["git", "-c", "user.name=kmark", "-c", "user.email=kmark@localhost"]
MAIL = re.compile(r"From [0-9a-f]{40} |From: ")
OPTION = re.compile(r"(?:# )?(CONFIG_\w+)(?:=| is not set$)")
# In Linux 6.18; a configuration for all versions has both.
RENAMED = {"CONFIG_CFI_CLANG=y": "CONFIG_CFI=y", "CONFIG_CFI=y": "CONFIG_CFI_CLANG=y"}
# Variables of the user's environment that make or the Makefiles of Linux read, and that are in no key.
OF_BUILD = re.compile(
    r"(KBUILD|KCONFIG|INSTALL|LLVM|CROSS_COMPILE)\w*|(HOST|USER|GNUMAKE|MAKE|[KACLD_]|CPP|RUST)*FLAGS\w*|"
    r"MAKE(LEVEL|FILES)|(SUB)?ARCH|(HOST)?(CC|CXX|LD)|LOCALVERSION|C(_INCLUDE_)?PATH|CF|[CMOVW]"
)
MODULE = re.compile(r"^(CONFIG_\w+)=m$", re.MULTILINE)
COMPILED = re.compile(rb"^  (CC|AS)( \[M\])? ")
# A third of the source, and not needed to build any kernel from fragments alone.
UNUSED = [f"{name}/*.[ch]" for name in ("drivers/gpu", "drivers/media", "drivers/scsi", "sound")]
UNUSED += ["drivers/net/ethernet/*.[ch]", "drivers/net/wireless/*.[ch]"]
# Files that are kept: to build modules, and for the kernel's own tests.
KEPT = {"Makefile", "Kbuild", "Module.symvers", ".config", "System.map", "vmlinux", "arch"}
KEPT |= {"boot", "include", "installed", "samples", "scripts", "tools"}


@dataclass(frozen=True)
class Recipe:
    """The version, patches and options that a kernel is built from."""

    version: str
    patched: bool = True
    fragments: tuple[Path, ...] = FRAGMENTS[X86]
    config: Path | None = None  # a whole .config instead of the fragments
    arch: str = X86
    base: Path | None = None  # a .config that the fragments change, and that has no modules then
    sets: tuple[str, ...] | None = None  # of patches; all without

    @classmethod
    def uml(cls, version: str, patched: bool) -> Recipe:
        """Return the recipe of User-Mode Linux, which is a program."""
        return cls(version, patched, FRAGMENTS[UML], arch=UML)

    @classmethod
    def distribution(cls, version: str, patched: bool) -> Recipe:
        """Return the recipe of a kernel that is configured as the distribution's, without modules, with the
        drivers of a guest built in. Failure if the distribution has no image of that version."""
        known = [one.name for one in table().values() if one.name in one.stock]
        if version not in known:
            raise Failure(f"the distribution has no image of Linux {version} ({' '.join(known)})")
        own = Kernel(cache.place("kernel"))  # has been fetched already
        is_own = own.version.startswith(f"{version}.")
        config = (own if is_own else Kernel(cache.place(f"stock-{version}"))).config
        return cls(version, patched, fragments(X86, "distribution"), base=config)

    @property
    def kind(self) -> str:
        kind = "patched" if self.patched else "vanilla"
        return kind if self.arch == X86 else f"{self.arch}-{kind}"

    @property
    def toolchain(self) -> list[str]:
        """Words for make."""
        return compiler_words(self.arch, CLANG in self.fragments and not self.config)

    def patches(self) -> list[Path]:
        """Return the project's own, which are mails and diffs."""
        patchset.write(self.version)
        found = patchset.patches(self.version, self.sets) if self.patched else []
        registers = [UML_REGISTERS] if self.arch == UML and table()[self.version].registers else []
        return [*registers, *found]

    def lacks(self, line: str) -> bool:
        """Return whether a line of a configuration sets an option of patches that are not applied."""
        given = patchset.chosen(self.sets) if self.patched else []
        own = {one.name for one in given if patchset.has(self.version, one)}
        others = (one for one in patchset.sets() if one.name not in own)
        return any(line.startswith(f"CONFIG_{name}=") for one in others for name in one.options)

    def key(self, source: Path) -> str:
        """Names everything that the result depends on, so that a change builds another one."""
        digest = hashlib.sha256(f"{source.stat().st_size} {os.uname().machine}".encode())
        digest.update(f"{gcc_version(prefix(self.arch))}\n".encode())
        digest.update(" ".join(self.toolchain).encode())
        given = (self.base, *self.fragments) if self.base else self.fragments
        for path in self.patches():
            digest.update(given_patch.read(path).key())
        for path in (self.config,) if self.config else given:
            digest.update(path.read_bytes())
        return digest.hexdigest()[:16]


def gcc_version(prefix: str = "") -> str:
    return subprocess.check_output([f"{prefix}gcc", "-dumpfullversion"], text=True).strip()


def compiler_words(arch: str, clang: bool) -> list[str]:
    if clang:
        return [LLVM]
    return [f"CROSS_COMPILE={CROSS}"] if arch == ARM64 else []


def prefix(arch: str) -> str:
    """Return what stands before the names of compiler and binutils for an architecture."""
    return CROSS if arch == ARM64 else ""


def toolchain(kernel: Path, arch: str) -> list[str]:
    """Return the words for make to build modules for the kernel in that folder."""
    config = kernel / ".config"
    clang = config.exists() and "CONFIG_CC_IS_CLANG=y" in foreign.lines(config.read_text())
    return compiler_words(arch, clang)


def environment(more: dict[str, str] | None = None) -> dict[str, str]:
    """Return the variables for a build: those of this process that change no kernel, and `more`."""
    kept = {name: value for name, value in os.environ.items() if not OF_BUILD.fullmatch(name)}
    return kept | (more or {})


def run(command: list[str | Path], folder: Path, log: Path, env: dict[str, str] | None = None) -> None:
    """Runs a command with its output in the log. Failure, and the end of the log on stderr."""
    with log.open("ab") as out:
        done = subprocess.run(
            command, cwd=folder, stdout=out, stderr=out, check=False, env=environment(env)
        )
    if done.returncode:
        for line in foreign.lines(log.read_text(errors="replace"))[-20:]:
            say(line.expandtabs())
        raise Failure(f"{' '.join(map(str, command[:3]))} ... failed, as the lines above say")


def unpack(source: Path, folder: Path, log: Path, whole: bool = False) -> None:
    """Unpack the source into a new folder: the whole source, or the files that a build from fragments
    needs."""
    folder.mkdir()
    command: list[str | Path] = ["tar", "-xf", source, "--strip-components=1", "-C", folder]
    left_out = [] if whole else [f"--exclude=*/{pattern}" for pattern in UNUSED]
    run([*command, *left_out], folder, log)


def changed_files(patches: Iterable[Path]) -> list[str]:
    """Return the names that the files may have which the patches change, below the top of the source."""
    given = [given_patch.read(path) for path in patches]
    return sorted({name for one in given for n in given_patch.STRIPPED for name in one.names_in_tree(n)})


def track(patches: Iterable[Path], folder: Path, log: Path) -> None:
    """Makes the folder a repository of the files that the patches change."""
    changed = [name for name in changed_files(patches) if (folder / name).is_file()]
    run([*GIT, "init", "-q", "."], folder, log)
    run([*GIT, "add", "-f", "--", *changed] if changed else [*GIT, "status"], folder, log)
    run([*GIT, "commit", "-q", "--allow-empty", "-m", "source"], folder, log)


def apply(patches: Iterable[Path], folder: Path, log: Path) -> None:
    """Apply mails with git am, as a user would, and diffs. Failure if one does not apply."""
    for patch in patches:
        if MAIL.match(patch.read_text()):
            run([*GIT, "am", "-q", patch], folder, log)
        else:
            given_patch.apply(given_patch.read(patch), folder, "--index")
            run([*GIT, "commit", "-q", "-m", patch.name], folder, log)


def make(words: list[str], folder: Path, log: Path, progress: Progress, total: int) -> int:
    """Runs make with progress, of `total` files expected. Returns the number of files
    compiled. Failure, and the errors on stderr."""
    command = ["make", *words, f"-j{len(os.sched_getaffinity(0))}", "KBUILD_BUILD_HOST=kmark"]
    count = 0
    with (
        log.open("ab") as out,
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment()
        ) as process,
    ):
        assert process.stdout
        for line in process.stdout:
            out.write(line)
            if COMPILED.match(line):
                count += 1
                progress.show(count, max(total, count))
    if process.returncode:
        errors = [line for line in foreign.lines(log.read_text(errors="replace")) if "rror" in line]
        for error in errors[-10:]:
            say(error.expandtabs())
        raise Failure(f"the kernel cannot be built; see {log}")
    return count


def wanted_options(text: str) -> list[str]:
    """The lines that set an option which no later line turns off or sets otherwise."""
    last = {}
    for line in foreign.lines(text):
        if found := OPTION.match(line):
            last[found[1]] = line
    return [line for line in last.values() if not line.startswith("#")]


def dropped(asked: str, have: set[str]) -> list[str]:
    """The options of `asked` that are not among the lines of a .config, under any of their names."""
    return [line for line in wanted_options(asked) if not have & {line, RENAMED.get(line, line)}]


def without_modules(config: str) -> str:
    """Return a .config without the options that are built as modules."""
    return MODULE.sub(r"# \1 is not set", config)


def configure(recipe: Recipe, folder: Path, log: Path) -> None:
    """Writes .config. Failure if the kernel drops an option of the fragments."""
    if recipe.config:
        shutil.copyfile(recipe.config, folder / ".config")
        run(["make", f"ARCH={recipe.arch}", "olddefconfig"], folder, log)
        return
    asked = "".join(path.read_text() for path in recipe.fragments)
    base = without_modules(recipe.base.read_text()) if recipe.base else ""
    merged = folder / "kmark.config"
    merged.write_text(base + asked)
    words = [f"ARCH={recipe.arch}", *recipe.toolchain]
    run(["make", *words, "allnoconfig"], folder, log, {"KCONFIG_ALLCONFIG": str(merged)})
    have = set(foreign.lines((folder / ".config").read_text()))
    lost = [line for line in dropped(asked, have) if not recipe.lacks(line)]
    if lost:
        raise Failure(f"Linux {recipe.version} drops from its configuration: {' '.join(lost)}")


def install_program(folder: Path) -> None:
    """Keeps only the program of User-Mode Linux, and its configuration."""
    for path in folder.iterdir():
        if path.name not in ("linux", ".config", "System.map"):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def install(folder: Path, arch: str) -> None:
    """Put image and modules into the places of a distribution's kernel, and remove files that modules do
    not need."""
    release = (folder / "include/config/kernel.release").read_text().strip()
    (folder / "boot").mkdir()
    shutil.copyfile(folder / f"arch/{arch}/boot/{IMAGES[arch]}", folder / f"boot/vmlinuz-{release}")
    # Started by QEMU as vmlinux, a kernel with KASAN runs code that needs the shadow
    # before it is set up; a bzImage does not. That of arm64 is not packed.
    if arch == X86 and "CONFIG_KASAN=y" not in foreign.lines((folder / ".config").read_text()):
        boot = folder / f"boot/vmlinux-{release}"
        subprocess.run(["objcopy", "-S", folder / "vmlinux", boot], check=True)
    for path in folder.iterdir():
        if path.name not in KEPT:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for path in (folder / "arch").iterdir():
        if path.is_dir() and path.name != arch:
            shutil.rmtree(path)
    for path in folder.rglob("*.[oa]"):
        if "scripts" not in path.parts and "tools" not in path.parts:
            path.unlink()


def place_of(recipe: Recipe, source: Path) -> Path:
    """Return the folder of the kernel, which need not exist."""
    return cache.place("cache") / "linux" / f"{recipe.version}-{recipe.kind}-{recipe.key(source)}"


def build(recipe: Recipe) -> Path:
    """Returns the folder of the kernel. It is built first, which takes minutes, if there is
    none yet. Failure if it cannot be built."""
    source = cache.place(f"linux-source-{recipe.version}")
    place = place_of(recipe, source)
    # Checked again under the lock, as another kmark may have built it meanwhile.
    if not place.exists():
        with lock.hold(place.with_name(f"{place.name}.lock"), f"builds {place.name}"):
            if not place.exists():
                build_at(place, recipe, source)
    return place


def build_at(place: Path, recipe: Recipe, source: Path) -> None:
    """Builds the kernel, with a log beside the folder `place`, which appears as a whole."""
    cache.install("kernel", *(["cross"] if recipe.arch == ARM64 else []))
    top = place.parent
    log = top / f"{place.name}.log"
    log.unlink(missing_ok=True)
    estimate = top / ("files" if recipe.arch == X86 else f"files-{recipe.arch}")
    total = int(estimate.read_text()) if estimate.exists() else 1300
    with (
        tempfile.TemporaryDirectory(dir=top, prefix="build.") as scratch,
        Progress(f"Linux {recipe.version}, {recipe.kind}") as progress,
    ):
        folder = Path(scratch) / "linux"
        unpack(source, folder, log, whole=bool(recipe.base))
        if patches := recipe.patches():
            track(patches, folder, log)
            apply(patches, folder, log)
        configure(recipe, folder, log)
        words = [f"ARCH={recipe.arch}", *recipe.toolchain]
        count = make([*words, *TARGETS[recipe.arch]], folder, log, progress, total)
        cache.write_whole(estimate, b"%d\n" % count)
        if recipe.arch != UML:
            # For modprobe; not in the place of modules that kmark loads into a guest.
            words += ["modules_install", f"INSTALL_MOD_PATH={folder / 'installed'}"]
            run(["make", *words], folder, log)
            install(folder, recipe.arch)
        else:
            install_program(folder)
        folder.rename(place)
