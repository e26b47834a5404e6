"""What a class has handed in: for each student and kata the newest file, and what was not taken."""

import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checker.classroom.collect.entries import Budget, Entry, MiB, Parts, Unread, Unusable
from checker.classroom.collect.folders import walk
from checker.classroom.collect.gradescope import METADATA, Handed, Unreadable, read_metadata
from checker.classroom.collect.names import identity, printable, safe_name, shown
from checker.classroom.collect.owners import NOBODYS, Found, Layout, Who
from checker.classroom.collect.roster import Person, Roster, read_roster
from checker.kata import catalog
from checker.kata.source import MAX_BYTES

__all__ = [
    "Collected", "Roster", "Submission", "Unusable", "collect", "read_roster", "safe_name",
]  # fmt: skip

FILE: Final = re.compile(
    r"kata[ _-]?0{0,9}([0-9]{1,3})(?:-([0-9]{1,9})|[ _]?\(([0-9]{1,9})\))?\.py(?:\.txt)?",
    re.ASCII | re.IGNORECASE,
)
FILE_LAST: Final = re.compile(FILE.pattern + r"\Z", FILE.flags)
NO_KATA: Final = "not the name of a kata, such as kata03.py"
ARCHIVES: Final = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
MAX_KEPT: Final = 512 * MiB  # of content
MAX_METADATA: Final = 32 * MiB
MAX_REASON: Final = 200  # characters


@dataclass(frozen=True)
class Submission:
    """One file of one student's. `when` is known where a platform says it."""

    student: str  # who, as the path or the roster says: on one line, and nobody else's
    kata: str
    name: str  # where it was found, for people
    data: bytes  # its content, at most one byte more than a kata may have
    when: str | None  # it was handed in, UTC

    @property
    def sha256(self) -> str:
        """The hash of the content."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Collected:
    """All that was found."""

    submissions: list[Submission]  # one for each student and kata, by student and kata
    superseded: list[Submission]  # older ones, in the same order, the newest first
    skipped: list[tuple[str, str]]  # what was not taken, and why


@dataclass(frozen=True)
class _File:
    """A file that may be a kata, before it is told whose."""

    parts: Parts
    data: bytes
    time: tuple[int, ...]


@dataclass(frozen=True)
class _Kept:
    """A kata's file with all that says which is the newest."""

    found: Found
    kata: str
    copy: int
    file: _File

    @property
    def age(self) -> tuple[int, int, tuple[int, ...]]:
        """The greater, the newer: the platform's number, then the copy's, then the time."""
        when = self.found.when
        clock = tuple(map(int, re.findall("[0-9]+", when))) if when else self.file.time
        return self.found.number, self.copy, clock


def collect(source: Path, roster: Roster | None = None) -> Collected:
    """Everything in a folder or a zip, told apart by student and kata. Raises `Unusable`."""
    paths: list[Parts] = []
    files: list[_File] = []
    skipped: list[tuple[Parts, str]] = []
    budget = Budget(MAX_KEPT)
    for entry in walk(source):
        paths.append(entry.parts)
        try:
            files.append(_read(entry, budget))
        except Unread as unread:
            skipped.append((entry.parts, str(unread)))
    known = roster or Roster(())
    layout = Layout(
        paths,
        base=int(source.is_file()),
        is_kata=lambda name: bool(FILE.fullmatch(name)),
        is_known=lambda name: bool(known.by_identifier([name]) or known.by_name(name)),
    )
    layout.handed = _handed(files, layout.root, skipped)
    kept = []
    for file in files:
        if file.parts != (*layout.root, METADATA):
            try:
                kept.append(_keep(file, layout))
            except _Skip as skip:
                skipped.append((skip.parts, skip.reason))
    skips = dict.fromkeys(
        (shown(parts), printable(reason)[:MAX_REASON]) for parts, reason in sorted(skipped)
    )
    return Collected(*_newest(kept, known), list(skips))


class _Skip(Exception):
    """A file, or a folder around it, is not taken."""

    def __init__(self, parts: Parts, reason: str) -> None:
        super().__init__(reason)
        self.parts, self.reason = parts, reason


def _read(entry: Entry, budget: Budget) -> _File:
    """The file, with its content if that matters. Raises `Unread`."""
    if entry.problem:
        raise Unread(entry.problem)
    name = entry.parts[-1]
    if not FILE_LAST.search(name) and name != METADATA:
        return _File(entry.parts, b"", entry.time)
    data = entry.read(MAX_METADATA if name == METADATA else MAX_BYTES + 1)
    budget.spend(len(data))
    return _File(entry.parts, data, entry.time)


def _handed(files: list[_File], root: Parts, skipped: list[tuple[Parts, str]]) -> dict[str, Handed]:
    for file in files:
        if file.parts == (*root, METADATA):
            try:
                return read_metadata(file.data)
            except Unreadable as unreadable:
                skipped.append((file.parts, str(unreadable)))
    return {}


def _keep(file: _File, layout: Layout) -> _Kept:
    """The file as one of a kata and of somebody. Raises `_Skip`."""
    if nothing := layout.not_taken(file.parts):
        raise _Skip(*nothing)
    found = layout.find(file.parts)
    name = found.file if found else file.parts[-1]
    match = FILE.fullmatch(name)
    if not match:
        archive = name.lower().endswith(ARCHIVES)
        raise _Skip(file.parts, "an archive that is not opened: ask for a zip" if archive
                    else NO_KATA)  # fmt: skip
    if not found:
        raise _Skip(file.parts, NOBODYS)
    try:
        kata = catalog.find(match[1]).name
    except catalog.UnknownKata as unknown:
        raise _Skip(file.parts, str(unknown)) from None
    return _Kept(found, kata, int(match[2] or match[3] or 0), file)


def _newest(kept: list[_Kept], roster: Roster) -> tuple[list[Submission], list[Submission]]:
    """For each student and kata the newest file, and the others."""
    students = _students({who for each in kept for who in each.found.who}, roster)
    groups: dict[tuple[str, str], list[_Kept]] = defaultdict(list)
    for each in kept:
        for student in dict.fromkeys(students[who] for who in each.found.who):
            groups[student, each.kata].append(each)
    newest, older = [], []
    for (student, kata), group in sorted(groups.items()):
        order = sorted(enumerate(group), key=lambda one: (one[1].age, one[0]), reverse=True)
        first, *others = [
            Submission(student, kata, shown(each.file.parts), each.file.data, each.found.when)
            for _, each in order
        ]
        newest.append(first)
        older += others
    return newest, older


def _students(everyone: set[Who], roster: Roster) -> dict[Who, str]:
    """What each is called: as the roster has it where it knows who is meant.

    A name alone will do if nobody else goes by that person's name or identifiers.
    """
    surely: dict[Who, Person] = {}
    perhaps: dict[Person, list[Who]] = defaultdict(list)
    for who in everyone:
        sure = (
            roster.by_canvas(who.canvas, who.name) if who.canvas
            else roster.by_identifier(who.identifiers)
        )  # fmt: skip
        if sure:
            surely[who] = sure
        elif who.name and (likely := roster.by_name(who.name)):
            perhaps[likely].append(who)
        elif not who.canvas and (likely := roster.by_identifier(_numbers(who.key))):
            perhaps[likely].append(who)  # a number of the student's within a name of their own
    taken = set(surely.values())
    for person, those in perhaps.items():
        if len(those) == 1 and person not in taken:
            surely[those[0]] = person
    return {who: surely[who].student if who in surely else identity(who.key) for who in everyone}


def _numbers(key: str) -> list[str]:
    """The words of a name that hold a number, such as 1001 of Lovelace_Ada_1001."""
    return re.findall(r"\w*\d\w*", key.replace("_", " "))
