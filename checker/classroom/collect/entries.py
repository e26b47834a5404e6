"""What is found where a class has handed in, and how much of it may be read."""

import stat
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MiB: Final = 1024 * 1024
COST: Final = 1024  # bytes that a file counts for beyond its own: a limit on bytes is one on files
MAX_DEPTH: Final = 40  # folders and zips, each within the one before
IGNORED: Final = {"__macosx", "__pycache__", "node_modules", "thumbs.db", "desktop.ini"}

Parts = tuple[str, ...]


class Unusable(Exception):
    """There is nothing to be had from it; the message is one line that says why."""


class Unread(Exception):
    """One file is not read; the message says why."""


class Spent(Unread):
    """More was to be read than `budget` allows."""

    def __init__(self, budget: "Budget") -> None:
        super().__init__(f"more than {budget.limit // MiB:,} MiB in all: the rest is left out")
        self.budget = budget


@dataclass
class Budget:
    """How many bytes may be read; what is read of a zip is also read of what it lies in."""

    limit: int
    within: "Budget | None" = None
    used: int = 0

    def spend(self, number: int) -> None:
        """Take so many bytes. Raises `Spent`."""
        if self.within:
            self.within.spend(number)
        self.used += number
        if self.used > self.limit:
            raise Spent(self)

    def meet(self, parts: Parts) -> None:
        """Take what a file costs that is not read. Raises `Spent`."""
        self.spend(COST + sum(map(len, parts)))


@dataclass(frozen=True)
class Entry:
    """A file, or something else with what is the matter with it.

    `read` gives the first bytes of the file, while the entry is the last one that was walked to,
    or raises `Unread`. `time` is when it was written: year, month, day, hour, minute, second.
    """

    parts: Parts
    problem: str = ""
    time: tuple[int, ...] = ()
    read: Callable[[int], bytes] = lambda limit: b""


def ignored(name: str) -> bool:
    """Whether a file or a folder of this name is never looked at: no student wrote it."""
    return name.startswith(".") or name.lower() in IGNORED


def irregular(mode: int) -> str:
    """What is the matter with what is neither a file nor a folder."""
    return "a symbolic link: not followed" if stat.S_ISLNK(mode) else "no regular file"
