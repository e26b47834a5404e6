"""The catalog of katas: their names, files, hints, and the measured roles of their invariants."""

import itertools
import json
import os
import tomllib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from checker import files
from checker.errors import CheckerError
from checker.kata.source import BadSource, fingerprint, read
from checker.kata.verdict import Role

PACKAGE: Final = Path(__file__).parents[1]
SHIPPED: Final = PACKAGE / "kata" / "shipped.json"
WITHHELD: Final = {  # parts of a kata that students are not given
    "invariants": "the invariants",
    "domain": "the domain",
    "reference": "the reference",
}

_named: list[Path] = []
_stayed: list[Path] = []


class UnknownKata(CheckerError):
    """There is no kata with that name; the message suggests one."""


class NoKatas(CheckerError):
    """There is no folder of katas to work in."""


class NotIncluded(CheckerError):
    """A part of a kata is not in this bundle; the message says which, and who has it."""


@dataclass(frozen=True)
class Kata:
    """One kata. `name` is its number: a topic would give the bug away."""

    name: str
    title: str
    belt: str
    minutes: int  # for an experienced reader, without hints
    know: str  # what to know first
    hints: tuple[str, ...]
    serves: tuple[tuple[str, ...], ...] = ()  # for each hint, the invariants that it helps to keep
    family: str = ""
    bug: str = ""  # what the shipped kata does
    common_fix: str = ""  # the near miss that people try most
    sources: tuple[str, ...] = ()
    raises: bool = False  # the shipped kata raises an exception on most inputs, and says so

    @property
    def invariants(self) -> Path:
        """The file of hidden invariants."""
        return PACKAGE / "invariants" / f"{self.name}.py"

    @property
    def domain(self) -> Path:
        """The file that draws inputs from the contract's whole domain."""
        return PACKAGE / "domains" / f"{self.name}.py"

    @property
    def reference(self) -> Path:
        """The kata with its bug fixed, from a checkout or from inside the wheel."""
        return _beside("solutions") / f"{self.name}.py"

    @property
    def near_misses(self) -> list[Path]:
        """Plausible wrong fixes, the commonest first, from a checkout or from inside the wheel."""
        files = (_beside("tests/near_misses") / self.name).glob("*.py")
        return sorted(files, key=lambda file: (file.stem != self.common_fix, file.name))

    def has(self, part: str) -> bool:
        """Whether a part that students are not given is here; `part` is one of `WITHHELD`."""
        file: Path = getattr(self, part)
        return file.is_file()

    def need(self, part: str) -> None:
        """Check that a part is here. Raises `NotIncluded`."""
        if not self.has(part):
            what = f"{WITHHELD[part]} of {self.name}"
            raise NotIncluded(f"this bundle does not include {what}: your instructor has it")

    @property
    def file(self) -> Path:
        """The file that the student edits. Raises `NoKatas`."""
        return workplace() / "katas" / f"{self.name}.py"

    @property
    def roles(self) -> dict[str, Role]:
        """Which invariants the shipped kata breaks (targets) and keeps (guards), as measured."""
        return cast(dict[str, Role], shipped().get(self.name, {}).get("roles", {}))

    @property
    def targets(self) -> list[str]:
        """The invariants that the shipped kata breaks."""
        return [name for name, role in self.roles.items() if role == "target"]

    def next_hint(self, taken: int, broken: Collection[str]) -> int:
        """The number, from 1, of the first hint after those taken that serves a broken invariant.

        One after the last if there is none. If nothing is known to be broken, it is what the
        shipped kata breaks; without `serves`, a hint serves everything.
        """
        wanted = set(broken or self.targets)
        later = range(taken + 1, len(self.hints) + 1)
        fits = (n for n in later if not self.serves or wanted & set(self.serves[n - 1]))
        return next(fits, len(self.hints) + 1)

    @property
    def text(self) -> str:
        """The kata as shipped, when its roles were measured; empty if they never were."""
        return "".join(f"{line}\n" for line in shipped().get(self.name, {}).get("text", []))

    def reset(self) -> Path | None:
        """Restore the file as shipped; return where a version that differed was moved, if any."""
        file = self.file
        with suppress(BadSource):  # then it is not what was shipped
            if read(file).fingerprint == fingerprint(self.text):
                return None
        kept = _set_aside(file)
        files.write(file, self.text)
        return kept


@cache
def katas() -> dict[str, Kata]:
    """All katas by name, in the order they are meant to be done."""
    tables = tomllib.loads((PACKAGE / "kata" / "catalog.toml").read_text(encoding="utf-8"))
    for table in tables.values():
        table.update({key: tuple(table[key]) for key in ("sources", "hints") if key in table})
        table["serves"] = tuple(map(tuple, table.get("serves", ())))
    return {name: Kata(name, **table) for name, table in tables.items()}


@cache
def shipped() -> dict[str, dict[str, Any]]:
    """What `verify --write` stored for each kata: its text, and its invariants' roles."""
    return cast(dict[str, dict[str, Any]], json.loads(SHIPPED.read_text(encoding="utf-8")))


def find(name: str) -> Kata:
    """The kata named `kata03`, `03`, `3` or `katas/kata03.py`. Raises `UnknownKata`."""
    stem = name.strip().lower().replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    number = stem.removeprefix("kata")
    known = katas()
    full = f"kata{number.lstrip('0').zfill(2)}"
    if full in known:
        return known[full]
    from difflib import get_close_matches

    close = [] if number.isdigit() else get_close_matches(stem, known, n=1)
    meant = f"Did you mean {close[0]}?" if close else f"They are {min(known)} to {max(known)}"
    raise UnknownKata(f"there is no kata {name!r}. {meant}")


def workplace() -> Path:
    """The folder that contains `katas/`: the one given, or else here, above, or the checkout.

    Raises `NoKatas` if there is none.
    """
    if _named or _stayed:
        return (_named or _stayed)[-1]
    try:
        here = Path.cwd()
    except OSError:
        raise NoKatas("the current folder no longer exists: change to another") from None
    for folder in (here, *here.parents, PACKAGE.parent):
        if _has_katas(folder):
            return folder
    raise NoKatas(
        f"there is no folder katas/ in {here} or above it. "
        "To create one: python -m checker init FOLDER; to use another: --root FOLDER"
    )


def stay() -> None:
    """Keep using the current folder of katas, even if it is moved or deleted. Raises `NoKatas`."""
    _stayed.append(workplace())


def named_root() -> Path | None:
    """The folder given with `--root`, if any."""
    return _named[-1] if _named else None


def work_in(folder: Path) -> None:
    """Work on the katas in this folder. Raises `NoKatas` if it has none."""
    if not _has_katas(folder):
        raise NoKatas(f"there is no folder katas/ in {folder}")
    _named.append(folder)


def _has_katas(folder: Path) -> bool:
    return any(os.path.isfile(folder / "katas" / f"{name}.py") for name in katas())


def _set_aside(file: Path) -> Path | None:
    """Rename a file to the first free name that no kata has; None if there is no file."""
    names = (file.with_name(f"{file.stem}.mine-{number}.py") for number in itertools.count(1))
    with suppress(FileNotFoundError):
        return file.rename(next(name for name in names if not os.path.lexists(name)))
    return None


def _beside(folder: str) -> Path:
    """A folder of the checkout, or its copy inside an installed package."""
    inside = PACKAGE / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder
