"""What a class handed in: one submission per student and kata."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property


@dataclass(frozen=True)
class Submission:
    """One student's file for one kata."""

    student: str  # as the path or the roster says: one line, unique in the class
    kata: str
    name: str  # the path where it was found, for people to read
    data: bytes  # its content, cut to one byte more than a kata may have
    when: datetime | None = None  # handed in, UTC, if the platform says

    @cached_property
    def sha256(self) -> str:
        """The hash of the content."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def key(self) -> tuple[str, str]:
        """Submissions with the same key get the same verdict."""
        return self.kata, self.sha256


@dataclass(frozen=True)
class Collected:
    """Everything that was found."""

    submissions: list[Submission]  # the newest per student and kata, sorted by both
    superseded: list[Submission]  # older ones, in the same order, the newest first
    skipped: list[tuple[str, str]]  # path and reason
