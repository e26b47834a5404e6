"""What a class is given: some katas, and of the checker what works without their answers.

What is packed is named here, file by file: whatever else the package holds stays at home.
"""

import io
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from checker.kata.catalog import PACKAGE, Kata
from checker.version import __version__

Bundle = dict[str, bytes]  # by path inside the bundle

STUDENTS: Final = ("", "commands", "judge", "kata", "learner", "reports", "sandbox")  # folders
JUDGES: Final = ("judging",)
FIELDS: Final = ("title", "belt", "minutes", "know", "hints")  # of the catalogue, for students
EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # of everything in a zip, so that its bytes are the same
UNIX, FILE_MODE = 3, 0o100644 << 16

README: Final = """# Attention katas

Each file in `katas` is attention code that looks right and has one fault. Find it and mend it.
Set up (Python 3.11 or newer), in this folder:

    python3 -m venv .venv && . .venv/bin/activate && pip install -e .

    python -m checker             where you stand
    python -m checker {kata}      {what}
    python -m checker watch       the same on every save
    python -m checker hint        when stuck; trace {kata} shows the arrays, line by line

The docstring of a kata is right, and so is all of its code but one fault. Any right answer passes,
however it is written; import numpy and the standard library alone. {then}
Hand in the files in `katas`, under the names that they have.
"""
TRIED: Final = (
    "run the kata's own example",
    "Nothing is graded here: the invariants run at your instructor's, who gets your files.",
)
GRADED: Final = (
    "grade it",
    "The invariants that grade are in it; your instructor runs them once more on other inputs.",
)

PROJECT: Final = f"""[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "attention-katas"
version = "{__version__}"
requires-python = ">=3.11"
dependencies = ["click>=8.1", "numpy>=2.0", "pytest>=8.2", "pytest-timeout>=2.3", "watchfiles>=0.24"]

[tool.hatch.build.targets.wheel]
packages = ["checker"]
"""  # noqa: E501 (a list in a file)


class Refused(Exception):
    """The bundle is not written; the message says why, and what to do."""


def bundle(katas: Sequence[Kata], *, with_invariants: bool = False) -> Bundle:
    """The files of a bundle, of these katas as they were shipped. Raises `Refused`."""
    if unknown := [kata.name for kata in katas if not kata.text]:
        name = unknown[0]
        raise Refused(f"{name} was never stored: python -m checker verify {name} --write")
    what, then = GRADED if with_invariants else TRIED
    texts = {
        "README.md": README.format(kata=katas[0].name, what=what, then=then),
        "LICENSE": _license(),
        "pyproject.toml": PROJECT,
        "checker/kata/catalog.toml": "\n".join(_table(kata) for kata in katas),
        "checker/kata/shipped.json": _shipped(katas, with_invariants),
    }
    texts |= {f"katas/{kata.name}.py": kata.text for kata in katas}
    folders = STUDENTS + (JUDGES if with_invariants else ())
    files = [file for folder in folders for file in _source(folder)]
    if with_invariants:
        invariants = PACKAGE / "invariants"
        files += [invariants / "__init__.py", *(kata.invariants for kata in katas)]
    texts |= {f"checker/{file.relative_to(PACKAGE).as_posix()}": _read(file) for file in files}
    return {name: texts[name].encode() for name in sorted(texts)}


def write(bundle: Bundle, folder: Path, *, overwrite: bool = False) -> Path:
    """Write the bundle into a new folder and a zip beside it, whose path is returned.

    Where either is there already it is replaced only with `overwrite`, and a folder only if it
    is one that nobody has touched. Raises `Refused` and `OSError`.
    """
    folder = Path(os.path.abspath(folder))
    archive = folder.with_name(f"{folder.name}.zip")
    _make_sure(folder, archive, overwrite)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".pack-") as made:
        new, new_archive = Path(made, "new"), Path(made, "new.zip")
        for name, data in bundle.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(data)
        new_archive.write_bytes(zipped(bundle, folder.name))
        if folder.is_dir():
            shutil.rmtree(folder)
        new.rename(folder)
        new_archive.replace(archive)
    return archive


def zipped(bundle: Bundle, top: str) -> bytes:
    """The bytes of a zip of the bundle, below a folder `top`: the same ones at any time."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in bundle.items():
            entry = zipfile.ZipInfo(f"{top}/{name}", EPOCH)
            entry.create_system, entry.external_attr = UNIX, FILE_MODE
            archive.writestr(entry, content)
    return data.getvalue()


def _make_sure(folder: Path, archive: Path, overwrite: bool) -> None:
    """Hold that nothing is lost that nobody gave up. Raises `Refused`."""
    for path in (folder, archive):
        if os.path.lexists(path) and not overwrite:
            raise Refused(f"{path.name} is there already: choose another, or add --overwrite")
    if os.path.lexists(folder) or os.path.lexists(archive):
        before = _unzipped(archive)
        if other := next((one for one in _below(folder) if one not in before), None):
            raise Refused(f"{folder.name} is no untouched bundle ({other[0]}): remove it yourself")


def _unzipped(archive: Path) -> set[tuple[str, bytes]]:
    """The files of an earlier bundle, as its zip has them. Raises `Refused`."""
    try:
        with zipfile.ZipFile(archive) as found:
            top = f"{archive.stem}/"
            return {(name.removeprefix(top), found.read(name)) for name in found.namelist()}
    except (OSError, zipfile.BadZipFile, RuntimeError):
        raise Refused(f"{archive.name} is no bundle: remove it yourself") from None


def _below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, but what Python or a learner's progress has left there."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not {"__pycache__", ".katas"} & set(path.parts):
            yield name, path.read_bytes()


def _source(folder: str) -> Iterator[Path]:
    """The source of a folder of the checker and, unless it is the root, of those inside it."""
    pattern = "**/*" if folder else "*"
    for file in sorted((PACKAGE / folder).glob(pattern)):
        if file.suffix in (".py", ".html"):
            yield file


def _table(kata: Kata) -> str:
    """The kata's table in the catalogue; a string of JSON is one of TOML too."""
    lines = (f"{name} = {json.dumps(getattr(kata, name), ensure_ascii=False)}" for name in FIELDS)
    return "\n".join([f"[{kata.name}]", *lines, ""])


def _shipped(katas: Sequence[Kata], with_invariants: bool) -> str:
    kept = {
        kata.name: {"text": kata.text.splitlines()}
        | ({"roles": kata.roles} if with_invariants else {})
        for kata in katas
    }
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def _license() -> str:
    """The licence, from a checkout or from inside the wheel."""
    inside = PACKAGE / "LICENSE"
    return _read(inside if inside.is_file() else PACKAGE.parent / "LICENSE")


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
