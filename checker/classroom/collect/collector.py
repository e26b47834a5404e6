"""Collect what a class handed in: the newest file per student and kata, and what was skipped."""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checker.classroom.collect.entries import Budget, Entry, MiB, Parts, Unread
from checker.classroom.collect.folders import walk
from checker.classroom.collect.metadata import METADATA, Unreadable, Upload, read_metadata
from checker.classroom.collect.names import KATA_FILE, display_path, identity, printable
from checker.classroom.collect.owners import NO_OWNER, Layout, Origin, Owner
from checker.classroom.collect.roster import Person, Roster
from checker.classroom.collect.submission import Collected, Submission
from checker.kata import catalog
from checker.kata.source import MAX_BYTES

FILE_AT_END: Final = re.compile(KATA_FILE.pattern + r"\Z", KATA_FILE.flags)
NO_KATA: Final = "not named like a kata (kata03.py)"
NO_ZIP: Final = "this kind of archive is not supported: ask for a zip"
ARCHIVES: Final = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
MAX_KEPT: Final = 512 * MiB  # content kept in memory
MAX_METADATA: Final = 32 * MiB
MAX_REASON: Final = 200  # characters

Skips = list[tuple[Parts, str]]
Age = tuple[int, int, tuple[int, ...]]


class _Skip(Exception):
    """A file, or a folder around it, is skipped."""

    def __init__(self, parts: Parts, reason: str) -> None:
        super().__init__(reason)
        self.parts, self.reason = parts, reason


@dataclass(frozen=True)
class Candidate:
    """A file for a kata, and where it came from."""

    file: Entry
    kata: str
    copy: int  # as in kata03 (1).py
    origin: Origin

    @property
    def age(self) -> Age:
        """Greater is newer: the platform's number, then the copy's, then the time."""
        when = self.origin.upload.when
        clock = tuple(when.timetuple()[:6]) if when else self.file.time
        return self.origin.number, self.copy, clock

    def submission(self, student: str) -> Submission:
        """The file as one student's."""
        name, data = display_path(self.file.parts), self.file.data
        return Submission(student, self.kata, name, data, len(data), self.origin.upload.when)


def collect(source: Path, roster: Roster | None = None) -> Collected:
    """Everything in a folder or a zip, by student and kata. Raises `Unusable`."""
    known = roster or Roster(())
    skips: Skips = []
    paths, files = _load(source, skips)
    layout = Layout(
        paths,
        base=int(source.is_file()),
        is_kata=lambda name: bool(KATA_FILE.fullmatch(name)),
        is_known=lambda name: bool(known.by_identifier([name]) or known.by_name(name)),
    )
    candidates = _candidates(files, layout, skips)
    students = _students({one for each in candidates for one in each.origin.owners}, known)
    newest, superseded = _newest(candidates, students)
    reasons = ((display_path(parts), printable(why)[:MAX_REASON]) for parts, why in sorted(skips))
    return Collected(newest, superseded, list(dict.fromkeys(reasons)))


def _load(source: Path, skips: Skips) -> tuple[list[Parts], list[Entry]]:
    """All paths, and the files that could be read."""
    paths, files, budget = [], [], Budget(MAX_KEPT)
    for entry in walk(source):
        paths.append(entry.parts)
        try:
            files.append(_read(entry, budget))
        except Unread as unread:
            skips.append((entry.parts, str(unread)))
    return paths, files


def _read(entry: Entry, budget: Budget) -> Entry:
    """The entry with its content, if that is needed. Raises `Unread`."""
    if entry.problem:
        raise Unread(entry.problem)
    name = entry.parts[-1]
    data = b""
    if name == METADATA:
        data = entry.read(MAX_METADATA)
    elif FILE_AT_END.search(name):
        data = entry.read(MAX_BYTES + 1)
    budget.spend(len(data))
    return Entry(entry.parts, time=entry.time, data=data)


def _candidates(files: list[Entry], layout: Layout, skips: Skips) -> list[Candidate]:
    metadata = (*layout.root, METADATA)
    uploads: dict[str, Upload] = {}
    for file in files:
        if file.parts == metadata:
            try:
                uploads = read_metadata(file.data)
            except Unreadable as unreadable:
                skips.append((file.parts, str(unreadable)))
    candidates = []
    for file in files:
        if file.parts != metadata:
            try:
                candidates.append(_candidate(file, layout, uploads))
            except _Skip as skip:
                skips.append((skip.parts, skip.reason))
    return candidates


def _candidate(file: Entry, layout: Layout, uploads: dict[str, Upload]) -> Candidate:
    """Which kata the file is for, and whose it is. Raises `_Skip`."""
    if skipped := layout.reason_to_skip(file.parts):
        raise _Skip(*skipped)
    origin = layout.origin(file.parts, uploads)
    name = origin.file if origin else file.parts[-1]
    match = KATA_FILE.fullmatch(name)
    if not match:
        raise _Skip(file.parts, NO_ZIP if name.lower().endswith(ARCHIVES) else NO_KATA)
    if not origin:
        raise _Skip(file.parts, NO_OWNER)
    try:
        kata = catalog.find(match[1]).name
    except catalog.UnknownKata as unknown:
        raise _Skip(file.parts, str(unknown)) from None
    return Candidate(file, kata, int(match[2] or match[3] or 0), origin)


def _newest(
    candidates: list[Candidate], students: dict[Owner, str]
) -> tuple[list[Submission], list[Submission]]:
    """For each student and kata the newest file, and the older ones."""
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for each in sorted(candidates, key=lambda one: one.age):  # equally new: the last found wins
        for student in {students[owner] for owner in each.origin.owners}:
            groups[student, each.kata].append(each.submission(student))
    newest, older = [], []
    for _, group in sorted(groups.items()):
        newest.append(group[-1])
        older += group[-2::-1]
    return newest, older


def _students(owners: set[Owner], roster: Roster) -> dict[Owner, str]:
    """What each student is called: as on the roster, if they are on it.

    A name alone is enough only if no other owner matches that person.
    """
    certain: dict[Owner, Person] = {}
    likely: dict[Person, list[Owner]] = defaultdict(list)
    for owner in owners:
        if person := _certainly(owner, roster):
            certain[owner] = person
        elif person := _likely(owner, roster):
            likely[person].append(owner)
    taken = set(certain.values())
    for person, those in likely.items():
        if len(those) == 1 and person not in taken:
            certain[those[0]] = person
    return {
        owner: certain[owner].student if owner in certain else identity(owner.key)
        for owner in owners
    }


def _certainly(owner: Owner, roster: Roster) -> Person | None:
    if owner.canvas:
        return roster.by_canvas(owner.canvas, owner.name)
    return roster.by_identifier(owner.identifiers)


def _likely(owner: Owner, roster: Roster) -> Person | None:
    """The person with this name, or with a number in it, such as 1001 in Lovelace_Ada_1001."""
    if owner.name and (person := roster.by_name(owner.name)):
        return person
    numbers = re.findall(r"\w*\d\w*", owner.key.replace("_", " "))
    return None if owner.canvas else roster.by_identifier(numbers)
