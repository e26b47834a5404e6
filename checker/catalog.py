"""The katas: what they are called, where they are, and what is known of their invariants."""

import json
import os
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final, cast

from checker.verdict import Role

PACKAGE: Final = Path(__file__).parent
ROLES: Final = PACKAGE / "roles.json"


class UnknownKata(Exception):
    """There is no kata of that name; the message says which was perhaps meant."""


class NoKatas(Exception):
    """There is no folder of katas to work in."""


@dataclass(frozen=True)
class Kata:
    """One kata. `name` is its number: a topic would give the fault away."""

    name: str
    title: str
    belt: str
    minutes: int  # for an experienced reader, without hints
    know: str  # what to know first
    family: str
    sources: tuple[str, ...]
    hints: tuple[str, ...]
    raises: bool = False  # the shipped kata stops with an exception on most input, and says so

    @property
    def invariants(self) -> Path:
        """The file of hidden invariants."""
        return PACKAGE / "invariants" / f"{self.name}.py"

    @property
    def domain(self) -> Path:
        """The file that draws inputs from anywhere in the contract's domain."""
        return PACKAGE / "domains" / f"{self.name}.py"

    @property
    def reference(self) -> Path:
        """The kata with its fault mended, from a checkout or from inside the wheel."""
        return _beside("solutions") / f"{self.name}.py"

    @property
    def file(self) -> Path:
        """The file that the student edits. Raises `NoKatas`."""
        return workplace() / "katas" / f"{self.name}.py"

    @property
    def roles(self) -> dict[str, Role]:
        """Which invariants the shipped kata breaks (targets) and keeps (guards), as measured."""
        return cast(dict[str, Role], measured().get(self.name, {}).get("roles", {}))

    @property
    def shipped(self) -> str | None:
        """The SHA-256 of the kata's text as it was measured."""
        return cast(str | None, measured().get(self.name, {}).get("kata"))


@cache
def katas() -> dict[str, Kata]:
    """All katas by name, in the order in which they are met."""
    tables = tomllib.loads((PACKAGE / "catalog.toml").read_text(encoding="utf-8"))
    for table in tables.values():
        table["sources"], table["hints"] = tuple(table["sources"]), tuple(table["hints"])
    return {name: Kata(name, **table) for name, table in tables.items()}


@cache
def measured() -> dict[str, dict[str, object]]:
    """What `verify --write` has stored of each kata."""
    return cast(dict[str, dict[str, object]], json.loads(ROLES.read_text(encoding="utf-8")))


def find(name: str) -> Kata:
    """The kata that `kata03`, `03`, `3` or `katas/kata03.py` names. Raises `UnknownKata`."""
    stem = name.strip().lower().replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    number = stem.removeprefix("kata")
    known = katas()
    full = f"kata{number.zfill(2)}"
    if full in known:
        return known[full]
    close = [] if number.isdigit() else get_close_matches(stem, known, n=1)
    meant = f"Did you mean {close[0]}?" if close else f"They are {min(known)} to {max(known)}"
    raise UnknownKata(f"there is no kata {name!r}. {meant}")


def workplace() -> Path:
    """The folder that holds `katas/`: here, above, or the checkout that this package is in.

    Raises `NoKatas` where there is none.
    """
    try:
        here = Path.cwd()
    except OSError:
        raise NoKatas("the current folder is no more: change to one that is there") from None
    for folder in (here, *here.parents, PACKAGE.parent):
        if os.path.isfile(folder / "katas" / "kata01.py"):
            return folder
    raise NoKatas(
        f"there is no folder katas/ in {here} or above it. "
        "Run this in a checkout of attention-katas, or name a file: --file FILE"
    )


def _beside(folder: str) -> Path:
    """A folder of the checkout, or the copy of it that a wheel carries inside the package."""
    inside = PACKAGE / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder
