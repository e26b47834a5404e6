"""A job for the judge."""

from dataclasses import dataclass
from pathlib import Path

from checker.kata.catalog import Kata


@dataclass(frozen=True)
class Job:
    """A file to grade as a kata, and the name it is shown by."""

    kata: Kata
    path: Path
    name: str = ""

    def __str__(self) -> str:
        return self.name or str(self.path)
