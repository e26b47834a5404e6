"""What a class handed in: one submission per student and kata."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property


@dataclass(frozen=True)
class Submission:
    """One student's file for one kata."""

    student: str  # as the path or the roster says: one line, unique in the class
    kata: str
    name: str  # the path where it was found, for people to read
    data: bytes  # its content; empty if the file is too large, or superseded
    size: int  # of the file, in bytes
    when: datetime | None = None  # handed in, UTC, if the platform says

    @cached_property
    def sha256(self) -> str:
        """The hash of the content; of a file that is too large, of its size."""
        data = self.data if len(self.data) == self.size else b"%d bytes" % self.size
        return hashlib.sha256(data).hexdigest()

    @property
    def key(self) -> tuple[str, str]:
        """Submissions with the same key get the same verdict."""
        return self.kata, self.sha256


@dataclass(frozen=True)
class LeftOut:
    """Something of a student that was not read, so that a kata in it is not missing."""

    student: str
    kata: str | None  # None if it may hold any of them
    name: str  # the path where it was found
    reason: str


@dataclass(frozen=True)
class Collected:
    """Everything that was found."""

    submissions: list[Submission]  # the newest per student and kata, sorted by both
    superseded: list[Submission]  # older ones, in the same order, the newest first
    skipped: list[tuple[str, str]]  # path and reason
    left_out: list[LeftOut] = field(default_factory=list)
