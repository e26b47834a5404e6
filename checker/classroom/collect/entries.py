"""Files as they are found in a folder or a zip, and a limit on how much of them is read."""

import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from checker.errors import CheckerError

MiB: Final = 1024 * 1024
COST: Final = 1024  # bytes charged per file on top of its size: this limits their number too
MAX_DEPTH: Final = 40  # nested folders and zips
IGNORED: Final = {"__macosx", "__pycache__", "node_modules", "thumbs.db", "desktop.ini"}

Parts = tuple[str, ...]


class Unusable(CheckerError):
    """The source or the roster cannot be used at all; the message is one line."""


class Unread(Exception):
    """One file is not read; the message says why."""


class Spent(Unread):
    """Reading more would exceed `budget`."""

    def __init__(self, budget: "Budget") -> None:
        super().__init__(f"more than {budget.limit // MiB:,} MiB in total: the rest is skipped")
        self.budget = budget


@dataclass
class Budget:
    """How many bytes may be read. What is read from a nested zip also counts for `outer`."""

    is_shared: ClassVar[bool] = False  # by a class: each student then has one of their own

    limit: int
    outer: "Budget | None" = None
    used: int = 0
    reported: bool = False  # that it is spent

    def spend(self, number: int) -> None:
        """Count some bytes. Raises `Spent`."""
        if self.outer:
            self.outer.spend(number)
        self.used += number
        if self.used > self.limit:
            raise Spent(self)

    def charge(self, parts: Parts) -> None:
        """Count a file that was found, whether or not it is read. Raises `Spent`."""
        self.spend(COST * len(parts) + sum(map(len, parts)))

    def split(self, tops: Iterable[str], files: Iterable[str]) -> Callable[[str], "Budget"]:
        """Whose budget each name of one level counts for: here all for the same."""
        return lambda name: self


@dataclass(frozen=True)
class Entry:
    """A file that was found, or the `problem` with it.

    `time` is when it was last written: year, month, day, hour, minute, second. `read` returns its
    first bytes or raises `Unread`; it works only until the walk moves on.
    """

    parts: Parts
    problem: str = ""
    time: tuple[int, ...] = ()
    size: int = 0
    read: Callable[[int], bytes] = lambda limit: b""
    is_end: bool = False  # everything of the same student after it is left out too


def within(budget: Budget, parts: Parts, found: Iterator[Entry]) -> Iterator[Entry]:
    """What is found, until this budget is spent, which is reported once."""
    try:
        yield from found
    except Spent as spent:
        if spent.budget is not budget:
            raise
        if not budget.reported:
            budget.reported = True
            yield Entry(parts, str(spent), is_end=True)


def ignored(name: str) -> bool:
    """Whether files and folders of this name are never looked at: no student wrote them."""
    return name.startswith(".") or name.lower() in IGNORED


def irregular(mode: int) -> str:
    """The problem with something that is neither a file nor a folder."""
    return "a symbolic link: not followed" if stat.S_ISLNK(mode) else "not a regular file"
