"""Start a new kata: every file that it needs, runnable, with what is left to write marked."""

import re
from pathlib import Path
from string import Template
from typing import Final

from checker.errors import CheckerError
from checker.files import write
from checker.kata import catalog
from checker.proof import cases

TEMPLATES: Final = Path(__file__).parent / "templates"
CATALOG: Final = "checker/kata/catalog.toml"
PARTS: Final = {
    "kata": "katas",
    "solution": "solutions",
    "invariants": "checker/invariants",
    "domain": "checker/domains",
}


class CannotStart(CheckerError):
    """The kata cannot be started; nothing was written."""


def scaffold(word: str) -> list[str]:
    """Write the files of a new kata; their paths. Raises `CannotStart` before anything is written.

    The new kata is the next one: `kata25` or `25` after kata24.
    """
    checkout = cases.TESTS.parent
    if not cases.TESTS.is_dir():
        raise CannotStart("new needs a checkout of the suite: clone it, and run new there")
    name = _name(word)
    files = {f"{folder}/{name}.py": part for part, folder in PARTS.items()}
    folders = [f"tests/{folder}/{name}" for folder in (cases.NEAR_MISSES, cases.ALTERNATIVES)]
    for path in (*files, *folders):
        if (checkout / path).exists():
            raise CannotStart(f"{path} exists: nothing is overwritten, move it away first")
    belt = list(catalog.katas().values())[-1].belt
    values = {"name": name, "number": name.removeprefix("kata"), "belt": belt}
    for path, part in files.items():
        write(checkout / path, _filled(part, values))
    for path in folders:
        (checkout / path).mkdir(parents=True)
    entries = (checkout / CATALOG).read_text(encoding="utf-8").rstrip("\n") + "\n"
    write(checkout / CATALOG, entries + _filled("catalog", values))
    return [*files, *(f"{path}/" for path in folders), f"{CATALOG}, [{name}]"]


def _name(word: str) -> str:
    """The name of the next kata, if that is what the word means. Raises `CannotStart`."""
    following = f"kata{len(catalog.katas()) + 1:02}"
    number = re.fullmatch(r"(?:kata)?0*(\d+)", word.strip().lower())
    name = f"kata{int(number[1]):02}" if number else word
    if name == following:
        return name
    reason = f"{word!r} is not the number of the next kata"
    if name in catalog.katas():
        reason = f"{name} exists"
    raise CannotStart(f"{reason}. Did you mean {following}?")


def _filled(part: str, values: dict[str, str]) -> str:
    return Template((TEMPLATES / f"{part}.txt").read_text(encoding="utf-8")).substitute(values)
