"""What has been graded already: a line a text in a file that only grows, whatever interrupts it."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from checker import __version__, catalog

Json = dict[str, Any]


class Busy(Exception):
    """Another process is at work in the same folder."""


@dataclass(frozen=True)
class Terms:
    """What a verdict depends on beside the text: with other terms it is graded again."""

    seed: int
    isolation: str

    def of(self, kata: str) -> str:
        """The terms of a kata, as one word: seed, isolation, and the suite down to its tests."""
        return f"{self.seed} {self.isolation} {__version__} {_suite(kata)}"


class Journal:
    """Records of texts by kata and content; a line that was cut short is as if never written."""

    def __init__(self, file: IO[str], terms: Terms) -> None:
        self.file, self.terms = file, terms
        self.records: dict[tuple[str, str], Json] = {}
        file.seek(0)
        for line in file:
            with suppress(ValueError, KeyError, TypeError):
                record = json.loads(line)
                if record["terms"] == terms.of(record["kata"]):
                    self.records[record["kata"], record["content"]] = record
        file.write("\n")  # behind a line that was cut short

    def add(self, record: Json) -> None:
        """Keep a record, at once; what was not graded is for another time."""
        if record["verdict"]["status"] != "not-graded":
            self.file.write(json.dumps({"terms": self.terms.of(record["kata"]), **record}) + "\n")
            self.file.flush()
        self.records[record["kata"], record["content"]] = record


@contextmanager
def opened(path: Path, terms: Terms) -> Iterator[Journal]:
    """The journal in a file, which is made. Raises `Busy` where another process has it open."""
    with open(path, "a+", encoding="utf-8", errors="replace") as file:
        _alone(file, path)
        yield Journal(file, terms)


def _alone(file: IO[str], path: Path) -> None:
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Busy(f"another process is grading into {path.parent}: wait for it") from None


@cache
def _suite(kata: str) -> str:
    found = catalog.find(kata)
    known = hashlib.sha256(found.invariants.read_bytes())
    known.update(json.dumps(found.roles).encode())
    return known.hexdigest()[:12]
