"""A journal of verdicts, one line per submission: an interrupted run continues from it."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Final

from checker import files
from checker.classroom.output import JOURNAL, OutputFolder
from checker.errors import CheckerError
from checker.kata import catalog
from checker.kata.verdict import Json
from checker.version import __version__

SEED: Final = "seed.json"
SEEDS: Final = 2**31
GRADERS: Final = ("judge", "judging", "faults", "sandbox", "kata")


class Busy(CheckerError):
    """Another process is grading into the same folder."""


@dataclass(frozen=True)
class Terms:
    """What a verdict depends on besides the file: if any of it changes, the file is regraded."""

    seed: int
    isolation: str

    def of(self, kata: str) -> str:
        """The terms for a kata as one string: seed, isolation, version, and what grades it."""
        return f"{self.seed} {self.isolation} {__version__} {_fingerprint(kata)}"


class Journal:
    """Records by kata and hash of the file; lines that are not valid records are ignored."""

    def __init__(self, file: IO[str], terms: Terms) -> None:
        self.file, self.terms = file, terms
        self.records: dict[tuple[str, str], Json] = {}
        file.seek(0)
        for line in file:
            with suppress(ValueError, KeyError, TypeError, RecursionError, AttributeError):
                record = json.loads(line)
                if record["terms"] == terms.of(record["kata"]) and _is_complete(record):
                    self.records[record["kata"], record["content"]] = record
        file.write("\n")  # after a line that was cut short

    def add(self, record: Json) -> None:
        """Keep a record; it is written at once, unless the file still has to be graded."""
        if record["verdict"]["status"] != "not-graded":
            line = json.dumps({"terms": self.terms.of(record["kata"]), **record})
            with files.named(Path(self.file.name)):
                self.file.write(f"{line}\n")
                self.file.flush()
        self.records[record["kata"], record["content"]] = record


@contextmanager
def open_journal(folder: Path, isolation: str, seed: int | None = None) -> Iterator[Journal]:
    """The journal of a folder, both created if needed.

    The seed is the given one, the folder's earlier one, or a fresh one. Raises `Busy` if another
    process has the journal open, and `NotOurs` if the folder is somebody else's.
    """
    path = folder / JOURNAL
    OutputFolder(folder).claim([JOURNAL, SEED])
    with open(path, "a+", encoding="utf-8", errors="replace") as file:
        _lock(file, path)
        yield Journal(file, Terms(_seed(folder / SEED, seed), isolation))


def _seed(file: Path, given: int | None) -> int:
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(file.read_text(encoding="utf-8"))["seed"]
        if type(kept) is int and kept >= 0 and given in (None, kept):
            return kept
    seed = secrets.randbelow(SEEDS) if given is None else given
    files.write(file, json.dumps({"seed": seed}) + "\n")
    return seed


def _is_complete(record: Json) -> bool:
    """Whether a record has everything that reports need; those of older versions may not."""
    verdict = record["verdict"]
    fields = {"status", "score", "checks", "message", "reason", "excerpt"}
    return fields <= verdict.keys() and "diagnosis" in record and isinstance(record["content"], str)


def _lock(file: IO[str], path: Path) -> None:
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Busy(
                f"another process is grading into {path.parent}: wait for it to finish"
            ) from None


@cache
def _fingerprint(kata: str) -> str:
    """A hash of everything that a verdict or a diagnosis comes from."""
    found = catalog.katas()[kata]
    digest = hashlib.sha256(json.dumps([found.roles, found.text]).encode())
    own = (found.invariants, found.domain, found.reference, *found.near_misses)
    for file in (*own, *_graders()):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]


@cache
def _graders() -> list[Path]:
    """The files of the checker that take part in grading, whichever the kata."""
    return sorted(file for name in GRADERS for file in (catalog.PACKAGE / name).rglob("*.py"))
