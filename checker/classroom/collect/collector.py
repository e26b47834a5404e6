"""Collect what a class handed in: the newest file per student and kata, and what was skipped."""

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from checker.classroom.collect.entries import Entry, MiB, Parts, Unread
from checker.classroom.collect.folders import walk
from checker.classroom.collect.metadata import METADATA, Unreadable, Upload, read_metadata
from checker.classroom.collect.names import KATA_FILE, display_path, identity, printable
from checker.classroom.collect.owners import NO_OWNER, Layout, Origin, Owner
from checker.classroom.collect.roster import Person, Roster
from checker.classroom.collect.submission import Collected, LeftOut, Submission
from checker.classroom.collect.zips import is_zip
from checker.kata import catalog
from checker.kata.source import MAX_BYTES

KATA_FILE_AT_END: Final = re.compile(KATA_FILE.pattern + r"\Z", KATA_FILE.flags)
NO_KATA: Final = "not named like a kata (kata03.py)"
NO_ZIP: Final = "this kind of archive is not supported: ask for a zip"
CHANGED: Final = "it changed while it was read"
ARCHIVES: Final = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
MAX_METADATA: Final = 32 * MiB
MAX_REASON: Final = 200  # characters

Age = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True)
class Skip:
    """A file, or a folder around it, that is skipped; `owners` may miss a kata because of it."""

    parts: Parts
    reason: str
    owners: tuple[Owner, ...] = ()
    kata: str | None = None  # None if it may hold any of them


class _Skipped(Exception):
    """A file is skipped."""

    def __init__(self, skip: Skip) -> None:
        super().__init__(skip.reason)
        self.skip = skip


@dataclass(frozen=True)
class Candidate:
    """A file for a kata, and where it came from."""

    number: int  # in the order of the walk
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

    def submission(self, student: str, data: bytes = b"") -> Submission:
        """The file as one student's."""
        name, size = display_path(self.file.parts), max(self.file.size, len(data))
        if len(data) > MAX_BYTES:
            data = b""
        return Submission(student, self.kata, name, data, size, self.origin.upload.when)


def collect(source: Path, roster: Roster | None = None) -> Collected:
    """Everything in a folder or a zip, by student and kata. Raises `Unusable`.

    The first walk finds what there is, a later one reads only the newest file of each student and
    kata, so that nothing else is kept in memory.
    """
    known = roster or Roster(())
    entries = [replace(entry, read=Entry.read) for entry in walk(source)]
    layout = Layout(
        [entry.parts for entry in entries],
        base=int(source.is_file()),
        is_kata=lambda name: bool(KATA_FILE.fullmatch(name)),
        is_known=lambda name: bool(known.by_identifier([name]) or known.by_name(name)),
    )
    uploads, skips = _uploads(source, entries, layout)
    candidates = []
    for number, entry in enumerate(entries):
        if entry.parts != (*layout.root, METADATA):
            try:
                candidates.append(_candidate(number, entry, layout, uploads))
            except _Skipped as skipped:
                skips.append(skipped.skip)
    owners = {one for each in candidates for one in each.origin.owners}
    students = _students(owners | {one for skip in skips for one in skip.owners}, known)
    newest, older = _newest(candidates, students)
    submissions = _read(source, newest, skips)
    reasons = dict.fromkeys(
        (display_path(skip.parts), _shown(skip))
        for skip in sorted(skips, key=lambda one: (one.parts, one.reason))
    )
    return Collected(
        submissions,
        [one.submission(student) for student, one in older],
        list(reasons),
        _left_out(skips, students),
    )


def _shown(skip: Skip) -> str:
    return printable(skip.reason)[:MAX_REASON]


def _left_out(skips: list[Skip], students: dict[Owner, str]) -> list[LeftOut]:
    """What was left out of each student's files, once per kata."""
    found = {
        (students[owner], skip.kata): LeftOut(
            students[owner], skip.kata, display_path(skip.parts), _shown(skip)
        )
        for skip in reversed(skips)
        for owner in skip.owners
    }
    return sorted(found.values(), key=lambda one: (one.student, one.kata or ""))


def _uploads(
    source: Path, entries: list[Entry], layout: Layout
) -> tuple[dict[str, Upload], list[Skip]]:
    """What the platform's metadata says, if there is any, and why it is skipped otherwise."""
    wanted = {
        number: entry
        for number, entry in enumerate(entries)
        if entry.parts == (*layout.root, METADATA)
    }
    uploads: dict[str, Upload] = {}
    skips = []
    for number, content in _contents(source, wanted, MAX_METADATA).items():
        try:
            uploads = read_metadata(_data(content))
        except (Unread, Unreadable) as error:
            skips.append(Skip(wanted[number].parts, str(error)))
    return uploads, skips


def _candidate(number: int, file: Entry, layout: Layout, uploads: dict[str, Upload]) -> Candidate:
    """Which kata the file is for, and whose it is. Raises `_Skipped`."""
    skipped = layout.reason_to_skip(file.parts)
    if file.problem:
        raise _Skipped(
            _problem(file, layout, uploads) if not skipped else Skip(file.parts, file.problem)
        )
    if skipped:
        raise _Skipped(Skip(*skipped))
    origin = layout.origin(file.parts, uploads)
    name = origin.file if origin else file.parts[-1]
    match = KATA_FILE.fullmatch(name)
    if not match and name.lower().endswith(ARCHIVES):
        raise _Skipped(_problem(replace(file, problem=NO_ZIP), layout, uploads))
    if not match:
        raise _Skipped(Skip(file.parts, NO_KATA))
    if not origin:
        raise _Skipped(Skip(file.parts, NO_OWNER))
    try:
        kata = catalog.find(match[1]).name
    except catalog.UnknownKata as unknown:
        raise _Skipped(Skip(file.parts, str(unknown))) from None
    return Candidate(number, file, kata, int(match[2] or match[3] or 0), origin)


def _problem(file: Entry, layout: Layout, uploads: dict[str, Upload]) -> Skip:
    """A file with a problem, and who may miss a kata because of it."""
    *folder, name = file.parts
    match = KATA_FILE_AT_END.search(name)
    if match and not file.is_end:
        origin = layout.origin(file.parts, uploads)
        number = match[1].zfill(2)
        kata = f"kata{number}" if f"kata{number}" in catalog.katas() else None
        return Skip(file.parts, file.problem, origin.owners if origin and kata else (), kata)
    archive = name.lower().endswith(ARCHIVES)
    if archive:
        name = f"{name[: name.index('.')]}.zip"
    may_hold = file.is_end or archive or is_zip(name) or not name
    inside = (*folder, name, "") if archive or is_zip(name) else file.parts
    origin = layout.origin(inside, uploads) if may_hold else None
    return Skip(file.parts, file.problem, origin.owners if origin else ())


def _newest(
    candidates: list[Candidate], students: dict[Owner, str]
) -> tuple[list[tuple[str, Candidate]], list[tuple[str, Candidate]]]:
    """For each student and kata the newest file, and the older ones."""
    groups: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for each in sorted(candidates, key=lambda one: one.age):  # equally new: the last found wins
        for student in {students[owner] for owner in each.origin.owners}:
            groups[student, each.kata].append(each)
    newest, older = [], []
    for (student, _), group in sorted(groups.items()):
        newest.append((student, group[-1]))
        older += [(student, each) for each in group[-2::-1]]
    return newest, older


def _read(source: Path, newest: list[tuple[str, Candidate]], skips: list[Skip]) -> list[Submission]:
    """The submissions with their content; what cannot be read is entered in `skips`."""
    wanted = {one.number: one.file for _, one in newest if one.file.size <= MAX_BYTES}
    contents = _contents(source, wanted, MAX_BYTES + 1)
    submissions = []
    for student, one in newest:
        try:
            data = _data(contents.get(one.number, b""))
            submissions.append(one.submission(student, data))
        except Unread as unread:
            skips.append(Skip(one.file.parts, str(unread), one.origin.owners, one.kata))
    return submissions


def _contents(source: Path, wanted: dict[int, Entry], limit: int) -> dict[int, bytes | Unread]:
    """The start of these files, by their number in the walk, or why they cannot be read."""
    found: dict[int, bytes | Unread] = dict.fromkeys(wanted, Unread(CHANGED))
    for number, entry in enumerate(walk(source) if wanted else ()):
        if number in wanted and entry.parts == wanted[number].parts:
            try:
                found[number] = entry.read(limit)
            except Unread as unread:
                found[number] = unread
    return found


def _data(content: bytes | Unread) -> bytes:
    """The content. Raises `Unread`."""
    if isinstance(content, Unread):
        raise content
    return content


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
