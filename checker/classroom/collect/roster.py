"""A class list: who there is, by whatever platforms call them."""

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
}  # fmt: skip
IDENTIFIERS: Final = ("login", "sid", "email", "id", "other")  # the best first
NOBODY: Final = {"pointspossible", "studenttest"}  # rows of a Canvas gradebook

Row = dict[str, list[str]]  # a field's cells that are not blank


@dataclass(frozen=True)
class Person:
    """One row: what the student is called here, by name, and by platforms."""

    student: str
    name: str
    identifiers: frozenset[str]  # folded
    names: frozenset[str]  # what a folder may be called: letters alone
    canvas: str  # the number that Canvas has given


@dataclass(frozen=True)
class Roster:
    """Everybody in a class."""

    people: tuple[Person, ...]

    def name(self, student: str) -> str:
        """The name of a student, or again what the student is called where it is not known."""
        return self._called.get(student) or student

    def missing(self, found: Iterable[str]) -> list[str]:
        """The students who are not among these, in the order of the list."""
        there = set(found)
        return [person.student for person in self.people if person.student not in there]

    def by_identifier(self, identifiers: Iterable[str]) -> Person | None:
        """The only person with one of these; the first that is in the list decides."""
        found = (self._identifiers.get(fold(each)) for each in identifiers)
        return _only(next(filter(None, found), []))

    def by_canvas(self, number: str, name: str) -> Person | None:
        """The person with this number of Canvas's, unless the name is plainly another's."""
        person = _only(self._canvas.get(number, []))
        return person if person and (not person.name or letters(name) in person.names) else None

    def by_name(self, name: str) -> Person | None:
        """The only person of this name, whatever part of it stands first."""
        return _only(self._names.get(letters(name), []))

    @cached_property
    def _called(self) -> dict[str, str]:
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
    """The class list in a CSV file with the usual headings. Raises `Unusable`."""
    lines = _lines(path)
    headings = [_heading(each) for each in next(lines, [])]
    if not {*IDENTIFIERS, "name", "first", "last"}.intersection(headings):
        raise Unusable(f"{path}: its first line names no column login, id, email or name")
    rows = []
    for cells in lines:
        row: Row = {}
        for heading, cell in zip(headings, cells, strict=False):
            if heading and cell.strip():
                row.setdefault(heading, []).append(cell.strip())
        if _is_student(row) and row not in rows:
            rows.append(row)
    people = tuple(_people(rows))
    if len({fold(person.student) for person in people}) < len(people):
        raise Unusable(f"{path}: two of its lines are not to be told apart: give each a login")
    return Roster(people)


def fold(text: str) -> str:
    """The text without regard to case, blanks around it and how Unicode composes it."""
    return unicodedata.normalize("NFC", text.strip().casefold())


def letters(text: str) -> str:
    """The letters and digits alone, without accents: how Canvas puts a name into a file's."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text.casefold())))


def _lines(path: Path) -> Iterator[list[str]]:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_ROSTER + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unusable(f"{path} cannot be read: {why}") from None
    if len(data) > MAX_ROSTER:
        raise Unusable(f"{path} has more than {MAX_ROSTER // MiB} MiB: this is no class list")
    text = _text(data)
    first = text.partition("\n")[0]
    try:
        yield from csv.reader(io.StringIO(text, ""), delimiter=max(",;\t", key=first.count))
    except csv.Error as error:
        raise Unusable(f"{path} is no CSV file: {error}") from None


def _text(data: bytes) -> str:
    """The text in an encoding that spreadsheets write."""
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            break
    return data.decode("cp1252", "replace")


def _heading(text: str) -> str:
    """The field that a column is about; empty if it is none of ours."""
    word = re.sub("[^a-z]", "", text.lower())
    return next((field for field, words in FIELDS.items() if word in words), "")


def _is_student(row: Row) -> bool:
    someone = bool(row.keys() - {"role"})
    student = row.get("role", ["student"])[0].lower() == "student"
    return someone and student and letters(_name(row)) not in NOBODY


def _people(rows: list[Row]) -> Iterator[Person]:
    """One person a row, called by the best identifier that no other row has."""
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


def _identifiers(row: Row) -> list[str]:
    """Everything that a row is told apart by, the best first; the name comes last."""
    return [*(each for field in IDENTIFIERS for each in row.get(field, [])), _name(row)]


def _name(row: Row) -> str:
    whole = [*row.get("first", [])[:1], *row.get("last", [])[:1]]
    return row["name"][0] if "name" in row else " ".join(whole)


def _names(row: Row) -> frozenset[str]:
    words = _name(row).replace(",", " ").split()
    turned = (words[at:] + words[:at] for at in range(min(len(words), 8)))
    mails = (mail.partition("@")[0] for mail in row.get("email", []))
    return frozenset(letters(each) for each in (*map(" ".join, turned), *mails)) - {""}


def _only(people: list[Person]) -> Person | None:
    return people[0] if len(people) == 1 else None


def _index(pairs: Iterable[tuple[str, Person]]) -> dict[str, list[Person]]:
    index: dict[str, list[Person]] = {}
    for key, person in pairs:
        if key:
            index.setdefault(key, []).append(person)
    return index
