"""Files that belong to no kata of the catalog."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from checker.proof.cases import ALTERNATIVES, NEAR_MISSES

FILES: Final = ("katas", "solutions", "checker/invariants", "checker/domains")  # one file per kata
FOLDERS: Final = (f"tests/{NEAR_MISSES}", f"tests/{ALTERNATIVES}")  # one folder per kata


def problems(checkout: Path, names: Iterable[str]) -> Iterator[str]:
    """The stray files of a checkout whose katas have these names."""
    known = set(names)
    for folder in (*FILES, *FOLDERS):
        for file in sorted((checkout / folder).rglob("*")):
            path = file.relative_to(checkout / folder)
            if file.is_dir() or "__pycache__" in path.parts or file.name == "__init__.py":
                continue
            if folder in FILES:
                belongs = str(path.with_suffix("")) in known
            else:
                belongs = str(path.parent) in known
            if not belongs or file.suffix != ".py":
                yield f"{folder}/{path.as_posix()} belongs to no kata: delete it or move it"
