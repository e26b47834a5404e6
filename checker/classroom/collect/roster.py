"""The class list: every student, by the names that platforms use for them."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from checker.classroom.collect.entries import MiB, Unusable
from checker.classroom.collect.names import identity

MAX_ROSTER: Final = 8 * MiB
FIELDS: Final = {
    "login": {"login", "sislogin", "sisloginid", "loginid", "username", "netid", "githubusername"},
    "sid": {"sid", "studentid", "studentnumber", "sisid", "sisuserid", "idnumber"},
    "email": {"email", "emailaddress"},
    "id": {"id", "userid", "canvasid"},
    "other": {"identifier"},
    "name": {"name", "fullname", "student", "studentname", "displayname"},
    "first": {"first", "firstname", "givenname"},
    "last": {"last", "lastname", "surname", "familyname"},
    "role": {"role"},
}
IDENTIFIERS: Final = ("login", "sid", "email", "id", "other")  # the best first
NOT_STUDENTS: Final = {"pointspossible", "studenttest"}  # rows of a Canvas gradebook
UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

RosterRow = dict[str, list[str]]  # the cells of each field that are not blank


@dataclass(frozen=True)
class Person:
    """One student: the name used here, the full name, and what platforms call them."""

    student: str
    name: str
    identifiers: frozenset[str]  # folded
    names: frozenset[str]  # what a folder may be called: letters and digits only
    canvas: str  # the user number on Canvas


@dataclass(frozen=True)
class Roster:
    """All students of a class."""

    people: tuple[Person, ...]

    def name(self, student: str) -> str:
        """A student's full name; the identifier again if it is unknown."""
        return self._full_names.get(student) or student

    def missing(self, found: Iterable[str]) -> list[str]:
        """The students who are not among these, in the order of the list."""
        there = set(found)
        return [person.student for person in self.people if person.student not in there]

    def unlisted(self, found: Iterable[str]) -> list[str]:
        """Those of these students who are not on the list, sorted."""
        return sorted(set(found) - self._full_names.keys())

    def by_identifier(self, identifiers: Iterable[str]) -> Person | None:
        """The only person with the first of these identifiers that is on the list."""
        found = (self._identifiers.get(fold(each)) for each in identifiers)
        return _only(next(filter(None, found), []))

    def by_canvas(self, number: str, name: str) -> Person | None:
        """The person with this Canvas number, unless the name clearly belongs to someone else."""
        person = _only(self._canvas.get(number, []))
        return person if person and (not person.name or letters(name) in person.names) else None

    def by_name(self, name: str) -> Person | None:
        """The only person with this name, whichever part comes first."""
        return _only(self._names.get(letters(name), []))

    @cached_property
    def _full_names(self) -> dict[str, str]:
        return {person.student: person.name for person in self.people}

    @cached_property
    def _identifiers(self) -> dict[str, list[Person]]:
        return _index((each, person) for person in self.people for each in person.identifiers)

    @cached_property
    def _canvas(self) -> dict[str, list[Person]]:
        return _index((person.canvas, person) for person in self.people)

    @cached_property
    def _names(self) -> dict[str, list[Person]]:
        return _index((each, person) for person in self.people for each in person.names)


def read_roster(path: Path) -> Roster:
    """Read a class list from a CSV file with the usual headings. Raises `Unusable`."""
    lines = _lines(path)
    headings = [_heading(each) for each in next(lines, [])]
    if not {*IDENTIFIERS, "name", "first", "last"}.intersection(headings):
        raise Unusable(f"{path}: the first line has no column called login, id, email or name")
    rows = []
    for cells in lines:
        row = _row(headings, cells)
        if _is_student(row) and row not in rows:
            rows.append(row)
    people = tuple(_people(rows))
    if len({fold(person.student) for person in people}) < len(people):
        raise Unusable(f"{path}: two lines cannot be told apart: give each student a login")
    return Roster(people)


def fold(text: str) -> str:
    """The text for comparison: case, outer blanks and Unicode composition do not matter."""
    return unicodedata.normalize("NFC", text.strip().casefold())


def letters(text: str) -> str:
    """Only the letters and digits, without accents, as Canvas writes names in file names."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text.casefold())))


def _lines(path: Path) -> Iterator[list[str]]:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_ROSTER + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unusable(f"{path} cannot be read: {why}") from None
    if len(data) > MAX_ROSTER:
        raise Unusable(f"{path} is larger than {MAX_ROSTER // MiB} MiB: is this a class list?")
    text = _decode(data)
    first = text.partition("\n")[0]
    try:
        yield from csv.reader(io.StringIO(text, ""), delimiter=max(",;\t", key=first.count))
    except csv.Error as error:
        raise Unusable(f"{path} is not a CSV file: {error}") from None


def _decode(data: bytes) -> str:
    """The text, in any of the encodings that spreadsheets write."""
    try:
        return data.decode("utf-16" if data.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _heading(text: str) -> str:
    """The field that a column holds; empty if it is not one of ours."""
    word = re.sub("[^a-z]", "", text.lower())
    return next((field for field, words in FIELDS.items() if word in words), "")


def _row(headings: list[str], cells: list[str]) -> RosterRow:
    row: RosterRow = {}
    for heading, cell in zip(headings, cells, strict=False):
        if heading and cell.strip():
            row.setdefault(heading, []).append(cell.strip())
    return row


def _is_student(row: RosterRow) -> bool:
    someone = bool(row.keys() - {"role"})
    student = row.get("role", ["student"])[0].lower() == "student"
    return someone and student and letters(_name(row)) not in NOT_STUDENTS


def _people(rows: list[RosterRow]) -> Iterator[Person]:
    """One person per row, called by the best identifier that no other row has."""
    shared: dict[str, int] = {}
    for row in rows:
        for each in {fold(each) for each in _identifiers(row)}:
            shared[each] = shared.get(each, 0) + 1
    for row in rows:
        called = _identifiers(row)
        best = next((each for each in called if shared[fold(each)] == 1), called[0])
        ours = frozenset(map(fold, called[:-1] if len(called) > 1 else called))
        canvas = row.get("id", [""])[0]
        yield Person(identity(best), identity(_name(row)), ours, _names(row), canvas)


def _identifiers(row: RosterRow) -> list[str]:
    """Every identifier of a row, the best first and the name last."""
    return [*(each for field in IDENTIFIERS for each in row.get(field, [])), _name(row)]


def _name(row: RosterRow) -> str:
    if "name" in row:
        return row["name"][0]
    return " ".join([*row.get("first", [])[:1], *row.get("last", [])[:1]])


def _names(row: RosterRow) -> frozenset[str]:
    """What a folder of this student may be called: the name in any order, or the mailbox."""
    words = _name(row).replace(",", " ").split()
    orders = (words[at:] + words[:at] for at in range(min(len(words), 8)))
    mailboxes = (email.partition("@")[0] for email in row.get("email", []))
    return frozenset(letters(each) for each in (*map(" ".join, orders), *mailboxes)) - {""}


def _only(people: list[Person]) -> Person | None:
    return people[0] if len(people) == 1 else None


def _index(pairs: Iterable[tuple[str, Person]]) -> dict[str, list[Person]]:
    index: dict[str, list[Person]] = {}
    for key, person in pairs:
        if key:
            index.setdefault(key, []).append(person)
    return index
