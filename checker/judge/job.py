"""A job for the judge."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checker.kata.catalog import Kata
from checker.kata.source import Source, read


@dataclass(frozen=True)
class Job:
    """A file to grade as a kata, and the name it is shown by.

    `parsed` gives its source if it is not on disk, and may raise `BadSource` as `read` does.
    """

    kata: Kata
    path: Path
    name: str = ""
    parsed: Callable[[], Source] | None = None

    def source(self) -> Source:
        """What to grade. Raises `BadSource`."""
        return self.parsed() if self.parsed else read(self.path)

    def __str__(self) -> str:
        return self.name or str(self.path)
