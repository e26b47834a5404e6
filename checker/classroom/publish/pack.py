"""Pack what a class is given: some katas, and the parts of the checker that need no answers.

Only the folders listed here are packed; nothing else in the package leaves it.
"""

import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from checker.classroom.publish.dependencies import dependencies
from checker.errors import CheckerError
from checker.files import zipped
from checker.kata.catalog import PACKAGE, Kata
from checker.kata.source import python_lines
from checker.version import __version__

Bundle = dict[str, bytes]  # by path inside the bundle

STUDENTS: Final = ("", "commands", "judge", "kata", "learner", "reports", "sandbox")  # folders
JUDGES: Final = ("judging",)
FIELDS: Final = ("title", "belt", "minutes", "know", "hints")  # of the catalogue, for students

README: Final = """# Attention katas

Each file in `katas` is attention code that looks right and has one bug. Find it and fix it.
To set up (Python 3.11 or newer), in this folder:

    python3 -m venv .venv && . .venv/bin/activate && pip install -e .

    python -m checker                your progress
    python -m checker {kata}         {what}
    python -m checker watch          the same on every save
    python -m checker hint           when stuck
    python -m checker trace {kata}   the values, line by line

The docstring of a kata is correct, and so is its code except for one bug. Any correct fix passes,
however it is written; import only numpy and the standard library.
{then}
Hand in the files in `katas` under their original names.
"""
TRIED: Final = (
    "run the kata's own example",
    "Nothing is graded here: only your instructor has the hidden tests.",
)
GRADED: Final = (
    "grade it",
    "The tests are included; your instructor runs them again on other inputs.",
)

PROJECT: Final = """[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "attention-katas"
version = "{version}"
requires-python = ">=3.11"
dependencies = {dependencies}

[tool.hatch.build.targets.wheel]
packages = ["checker"]
"""


class CannotPack(CheckerError):
    """The bundle is not written; the message says why, and what to do."""


def bundle(katas: Sequence[Kata], *, with_invariants: bool = False) -> Bundle:
    """The files of a bundle with these katas as they were shipped. Raises `CannotPack`."""
    if unknown := [kata.name for kata in katas if not kata.text]:
        name = unknown[0]
        raise CannotPack(f"{name} is not stored yet: python -m checker verify {name} --write")
    what, then = GRADED if with_invariants else TRIED
    texts = {
        "README.md": README.format(kata=katas[0].name, what=what, then=then),
        "LICENSE": _license(),
        "pyproject.toml": PROJECT.format(
            version=__version__, dependencies=json.dumps(dependencies())
        ),
        "checker/kata/catalog.toml": "\n".join(_table(kata) for kata in katas),
        "checker/kata/shipped.json": _shipped(katas, with_invariants),
    }
    texts |= {f"katas/{kata.name}.py": kata.text for kata in katas}
    folders = STUDENTS + (JUDGES if with_invariants else ())
    files = [file for folder in folders for file in _source(folder)]
    if with_invariants:
        files += [PACKAGE / folder / "__init__.py" for folder in ("invariants", "domains")]
        files += [file for kata in katas for file in (kata.invariants, kata.domain)]
    texts |= {f"checker/{file.relative_to(PACKAGE).as_posix()}": _read(file) for file in files}
    return {name: texts[name].encode() for name in sorted(texts)}


def write_bundle(bundle: Bundle, folder: Path, *, overwrite: bool = False) -> Path:
    """Write the bundle into a new folder and a zip beside it; return the path of the zip.

    What exists already is replaced only with `overwrite`, and a folder only if it is an earlier
    bundle that nobody has changed. Raises `CannotPack`.
    """
    try:
        return _write(bundle, Path(os.path.abspath(folder)), overwrite)
    except OSError as error:
        raise CannotPack(f"{folder} cannot be written: {error.strerror}") from None


def _write(bundle: Bundle, folder: Path, overwrite: bool) -> Path:
    archive = folder.with_name(f"{folder.name}.zip")
    _check_replaceable(folder, archive, overwrite)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".pack-") as made:
        new, new_archive = Path(made, "new"), Path(made, "new.zip")
        for name, data in bundle.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(data)
        new_archive.write_bytes(
            zipped({f"{folder.name}/{name}": data for name, data in bundle.items()})
        )
        if folder.is_dir():
            shutil.rmtree(folder)
        new.rename(folder)
        new_archive.replace(archive)
    return archive


def _check_replaceable(folder: Path, archive: Path, overwrite: bool) -> None:
    """Check that writing loses nobody's work. Raises `CannotPack`."""
    for path in (folder, archive):
        if os.path.lexists(path) and not overwrite:
            raise CannotPack(f"{path.name} already exists: choose another name, or add --overwrite")
    if os.path.lexists(folder) or os.path.lexists(archive):
        before = _unzipped(archive)
        if other := next((one for one in _below(folder) if one not in before), None):
            raise CannotPack(
                f"{folder.name} is not an unchanged bundle ({other[0]}): remove it yourself"
            )


def _unzipped(archive: Path) -> set[tuple[str, bytes]]:
    """The files in the zip of an earlier bundle. Raises `CannotPack`."""
    try:
        with zipfile.ZipFile(archive) as found:
            top = f"{archive.stem}/"
            return {(name.removeprefix(top), found.read(name)) for name in found.namelist()}
    except (OSError, zipfile.BadZipFile, RuntimeError):
        raise CannotPack(f"{archive.name} is not a bundle: remove it yourself") from None


def _below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, except caches of Python and the learner's progress."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not {"__pycache__", ".katas"} & set(path.parts):
            yield name, path.read_bytes()


def _source(folder: str) -> Iterator[Path]:
    """The source files in a folder of the checker; of the root only its own."""
    pattern = "**/*" if folder else "*"
    for file in sorted((PACKAGE / folder).glob(pattern)):
        if file.suffix in (".py", ".html"):
            yield file


def _table(kata: Kata) -> str:
    """The kata's table in the catalogue; a JSON string is a TOML string too."""
    lines = (f"{name} = {json.dumps(getattr(kata, name), ensure_ascii=False)}" for name in FIELDS)
    return "\n".join([f"[{kata.name}]", *lines, ""])


def _shipped(katas: Sequence[Kata], with_invariants: bool) -> str:
    kept = {
        kata.name: {"text": python_lines(kata.text)}
        | ({"roles": kata.roles} if with_invariants else {})
        for kata in katas
    }
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def _license() -> str:
    """The licence, from a checkout or an installed package."""
    inside = PACKAGE / "LICENSE"
    return _read(inside if inside.is_file() else PACKAGE.parent / "LICENSE")


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
