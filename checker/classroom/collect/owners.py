"""Whose a file is, from its path, for every way in which classes hand in.

The outermost folder or file name that identifies a student decides; students choose the names
of everything inside it.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from checker.classroom.collect.entries import Parts
from checker.classroom.collect.metadata import UNKNOWN, Upload
from checker.classroom.collect.zips import is_zip

CANVAS: Final = re.compile(
    r"(?:(?:LATE_)?(?P<anon>anon_[A-Za-z0-9]+)|(?P<name>\w+?)_(?:LATE_)?(?P<user>[0-9]+))"
    r"_(?P<number>[0-9]+)_(?P<file>.+)",
    re.DOTALL,
)
MOODLE: Final = re.compile(
    r"(?P<name>.+?)_(?P<number>[0-9]+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL
)
GRADESCOPE: Final = re.compile(r"submission_([0-9]+)")
NBGRADER: Final = "submitted"
SUITE: Final = ("solutions", "checker", "tests")  # in a clone of the repository, never a student's
KATAS: Final = "katas"

NO_OWNER: Final = "cannot tell which student this belongs to"
CLONE: Final = "in a clone of the repository only katas/ is graded"
MAX_NAME: Final = 255  # characters of a student's name


@dataclass(frozen=True)
class Owner:
    """A student as a path names them: unique by `key`; the rest is to find them on a roster."""

    key: str
    name: str = ""
    identifiers: tuple[str, ...] = ()
    canvas: str = ""  # the user number on Canvas


@dataclass(frozen=True)
class Origin:
    """Who handed in a file, under what name, and the platform's number and time for it."""

    owners: tuple[Owner, ...]
    file: str
    upload: Upload = UNKNOWN
    number: int = 0


class Layout:
    """The layout of one source, from all of its paths.

    `root` is the wrapping folder or zip around all submissions, at least `base` levels deep.
    """

    def __init__(
        self,
        paths: Iterable[Parts],
        base: int,
        is_kata: Callable[[str], bool],
        is_known: Callable[[str], bool],
    ) -> None:
        self.is_kata, self.is_known = is_kata, is_known
        self.paths = [path for path in paths if len(path) > base]
        self.folders = {path[:end] for path in self.paths for end in range(len(path))}
        self.root = self._find_root(base)
        self.depth = len(self.root)
        heads = {path[self.depth] for path in self.paths if len(path) > self.depth}
        numbers = [match["number"] for match in map(CANVAS.fullmatch, heads) if match]
        self.is_canvas = len(numbers) == len(set(numbers))  # Canvas never repeats a number
        self.prefix = self._clone_prefix()

    def reason_to_skip(self, path: Parts) -> tuple[Parts, str] | None:
        """The file, or the folder around it, that is skipped as a whole, and why."""
        if path[: self.depth] != self.root and self.root[-1] == NBGRADER:
            return path[: self.depth], f"outside {NBGRADER}/"
        if self._is_clone(self.root):
            return path, NO_OWNER
        for end in range(self.depth + 1, len(path)):
            is_folder = end + 1 < len(path)
            if is_folder and path[end].lower() in SUITE:
                return path[: end + 1], CLONE
            if self._is_clone(path[:end]) and not (is_folder and path[end] == KATAS):
                return path[: end + 1], CLONE
        return None

    def origin(self, path: Parts, uploads: dict[str, Upload]) -> Origin | None:
        """Whose the file is; None if that is unknown. `uploads` are Gradescope's, by folder."""
        is_inside = path[: self.depth] == self.root and len(path) > self.depth
        if not is_inside or len(path[self.depth]) > MAX_NAME:
            return None
        head, file = path[self.depth], path[-1]
        is_loose = len(path) == self.depth + 1
        if match := MOODLE.fullmatch(head):
            return _from_moodle(match, (match["file"] or "") if is_loose else file)
        if self.is_canvas and (is_loose or is_zip(head)) and (match := CANVAS.fullmatch(head)):
            return _from_canvas(match, match["file"] if is_loose else file)
        if is_loose:
            return None
        if match := GRADESCOPE.fullmatch(head):
            return _from_gradescope(match, file, uploads.get(head, UNKNOWN))
        stem = _stem(head)
        key = stem.removeprefix(self.prefix)
        return Origin((Owner(key, key, (stem, key)),), file) if key.strip() else None

    def _find_root(self, base: int) -> Parts:
        """The wrapping folder and zip: at most one of each, and neither is a student's."""
        root: Parts = next(iter(self.paths), ())[:base]
        wrappers = ["folder", "zip"]
        while (*root, NBGRADER) not in self.folders:
            tops = self._tops(root)
            if len(tops) != 1 or self._is_students(root, *tops):
                return root
            kind = "zip" if is_zip(*tops) else "folder"
            if kind not in wrappers:
                return root
            wrappers.remove(kind)
            root = (*root, *tops)
        return (*root, NBGRADER)

    def _tops(self, root: Parts) -> set[str]:
        """The folders and zips directly below."""
        depth = len(root)
        unopened = {path for path in self.paths if is_zip(path[-1])}
        return {
            each[depth]
            for each in self.folders | unopened
            if len(each) == depth + 1 and each[:depth] == root
        }

    def _is_students(self, root: Parts, name: str) -> bool:
        """Whether the only folder or zip belongs to a student and is not a wrapper."""
        here = (*root, name)
        depth = len(here)
        return (
            any(pattern.fullmatch(name) for pattern in (CANVAS, MOODLE, GRADESCOPE))
            or self.is_known(_stem(name))
            or (*here, KATAS) in self.folders
            or any(
                len(path) == depth + 1 and path[:depth] == here and self.is_kata(path[-1])
                for path in self.paths
            )
        )

    def _is_clone(self, folder: Parts) -> bool:
        return (*folder, KATAS) in self.folders and any(
            (*folder, each) in self.folders for each in SUITE
        )

    def _clone_prefix(self) -> str:
        """What the names of all clones start with, as in ps1-alice, ps1-bob.

        What is left of a name is never that of another folder. If a roster knows some students, it
        decides; otherwise all folders must be clones, or one could pass for another's.
        """
        tops = self._tops(self.root)
        others = {_stem(top) for top in tops if (*self.root, top, KATAS) not in self.folders}
        clones = [_stem(top) for top in tops if (*self.root, top, KATAS) in self.folders]
        if len(clones) < 2:
            return ""
        ends = zip(min(clones), max(clones), strict=False)
        common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
        ends_of_words = [at + 1 for at, letter in enumerate(common) if letter == "-"]
        known = {}
        for prefix in ["", *(common[:end] for end in ends_of_words)]:
            names = [(clone, clone.removeprefix(prefix)) for clone in clones]
            left = {name for _, name in names}
            if not prefix or (prefix not in clones and left.isdisjoint({*others, *clones})):
                known[prefix] = sum(any(map(self.is_known, pair)) for pair in names)
        most = max(known.values())
        if most:
            return next(prefix for prefix, number in known.items() if number == most)
        return "" if others else max(known, key=len)


def _from_moodle(match: re.Match[str], file: str) -> Origin:
    name, number = match["name"], match["number"]
    return Origin((Owner(f"{name}_{number}", name, (f"Participant {number}",)),), file)


def _from_canvas(match: re.Match[str], file: str) -> Origin:
    user = match["user"] or ""
    key = match["anon"] or f"{match['name']}_{user}"
    owner = Owner(key, match["name"] or "", canvas=user)
    return Origin((owner,), file, number=_number(match["number"]))


def _from_gradescope(match: re.Match[str], file: str, upload: Upload) -> Origin:
    group = tuple(
        Owner(each.email or each.sid or each.name, each.name, (each.sid, each.email))
        for each in upload.submitters
    )
    return Origin(group or (Owner(match[0]),), file, upload, _number(match[1]))


def _stem(name: str) -> str:
    return name[: -len(".zip")] if is_zip(name) else name


def _number(digits: str) -> int:
    return int(digits[:30])
