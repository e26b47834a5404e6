"""What has been graded already: a line a text in a file that only grows, whatever interrupts it."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

from checker.kata import catalog
from checker.version import __version__

Json = dict[str, Any]

SEEDS: Final = 2**31


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
    """Records of texts by kata and content; a line that is no record is as if never written."""

    def __init__(self, file: IO[str], terms: Terms) -> None:
        self.file, self.terms = file, terms
        self.records: dict[tuple[str, str], Json] = {}
        file.seek(0)
        for line in file:
            with suppress(ValueError, KeyError, TypeError, RecursionError, AttributeError):
                record = json.loads(line)
                if record["terms"] == terms.of(record["kata"]) and _is_whole(record):
                    self.records[record["kata"], record["content"]] = record
        file.write("\n")  # behind a line that was cut short

    def add(self, record: Json) -> None:
        """Keep a record, at once; what was not graded is for another time."""
        if record["verdict"]["status"] != "not-graded":
            self.file.write(json.dumps({"terms": self.terms.of(record["kata"]), **record}) + "\n")
            self.file.flush()
        self.records[record["kata"], record["content"]] = record


@contextmanager
def opened(folder: Path, isolation: str, seed: int | None = None) -> Iterator[Journal]:
    """The journal of a folder, both made if need be; its seed is wanted, kept or a fresh one.

    Raises `Busy` where another process has it open.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "journal.jsonl"
    with open(path, "a+", encoding="utf-8", errors="replace") as file:
        _alone(file, path)
        yield Journal(file, Terms(_seed(folder / "seed.json", seed), isolation))


def _seed(file: Path, wanted: int | None) -> int:
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(file.read_text(encoding="utf-8"))["seed"]
        if type(kept) is int and kept >= 0 and wanted in (None, kept):
            return kept
    seed = secrets.randbelow(SEEDS) if wanted is None else wanted
    file.write_text(json.dumps({"seed": seed}) + "\n", encoding="utf-8")
    return seed


def _is_whole(record: Json) -> bool:
    """Whether a record has all that a report asks for."""
    verdict = record["verdict"]
    fields = {"status", "score", "checks", "message", "reason", "excerpt"}
    return fields <= verdict.keys() and "diagnosis" in record and isinstance(record["content"], str)


def _alone(file: IO[str], path: Path) -> None:
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Busy(f"another process is grading into {path.parent}: wait for it") from None


@cache
def _suite(kata: str) -> str:
    found = catalog.katas()[kata]
    known = hashlib.sha256(found.invariants.read_bytes())
    known.update(json.dumps(found.roles).encode())
    return known.hexdigest()[:12]
