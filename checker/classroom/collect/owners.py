"""Whose a file is, told from its path in the shapes that classes come in.

The outermost name that says whose it is decides: what lies below is the student's to name.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from checker.classroom.collect.entries import Parts
from checker.classroom.collect.gradescope import Handed
from checker.classroom.collect.zips import is_zip

CANVAS: Final = re.compile(
    r"(?:(?:LATE_)?(?P<anon>anon_[A-Za-z0-9]+)|(?P<name>\w+?)_(?:LATE_)?(?P<user>[0-9]+))"
    r"_(?P<number>[0-9]+)_(?P<file>.+)", re.DOTALL,
)  # fmt: skip
MOODLE: Final = re.compile(
    r"(?P<name>.+?)_(?P<number>[0-9]+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL
)
GRADESCOPE: Final = re.compile(r"submission_([0-9]+)")
NBGRADER: Final = "submitted"
OURS: Final = ("solutions", "checker", "tests")  # of a clone, and never a student's
KATAS: Final = "katas"

NOBODYS: Final = "whose it is cannot be told"
NO_KATAS: Final = "of a clone of the katas, only katas/ is taken"
MAX_NAME: Final = 255  # characters of a student's


@dataclass(frozen=True)
class Who:
    """A student as a path has it: told apart by `key`, known to a roster by the rest."""

    key: str
    name: str = ""
    identifiers: tuple[str, ...] = ()
    canvas: str = ""  # the number that Canvas has given


@dataclass(frozen=True)
class Found:
    """Who handed in a file, what it is called, and the platform's number and time for that."""

    who: tuple[Who, ...]
    file: str
    number: int = 0
    when: str | None = None


@dataclass
class Layout:
    """The shape of one source, told from all of its paths.

    `depth` folders or zips lie around everything, `base` of them by force.
    """

    paths: Iterable[Parts]
    base: int
    is_kata: Callable[[str], bool]
    is_known: Callable[[str], bool]
    handed: dict[str, Handed] = field(default_factory=dict)  # by a folder of Gradescope's

    def __post_init__(self) -> None:
        self.paths = [path for path in self.paths if len(path) > self.base]
        self.folders = {path[:end] for path in self.paths for end in range(len(path))}
        self.root = self._root()
        self.depth = len(self.root)
        heads = {path[self.depth] for path in self.paths if len(path) > self.depth}
        numbers = [match["number"] for match in map(CANVAS.fullmatch, heads) if match]
        self.canvas = len(numbers) == len(set(numbers))  # or it is another who names files so
        self.prefix = self._prefix()

    def not_taken(self, path: Parts) -> tuple[Parts, str] | None:
        """The file or the folder around it of which nothing is taken, and why."""
        if path[: self.depth] != self.root and self.root[-1] == NBGRADER:
            return path[: self.depth], f"not in {NBGRADER}/"
        if self._is_clone(self.root):
            return path, NOBODYS
        for end in range(self.depth + 1, len(path)):
            inside = end + 1 < len(path)
            if inside and path[end].lower() in OURS:
                return path[: end + 1], NO_KATAS
            if self._is_clone(path[:end]) and not (inside and path[end] == KATAS):
                return path[: end + 1], NO_KATAS
        return None

    def find(self, path: Parts) -> Found | None:
        """Whose the file is; None where that cannot be told."""
        inside = path[: self.depth] == self.root and len(path) > self.depth
        if not inside or len(path[self.depth]) > MAX_NAME:
            return None
        head, flat = path[self.depth], len(path) == self.depth + 1
        if match := MOODLE.fullmatch(head):
            name, number = match["name"], match["number"]
            who = Who(f"{name}_{number}", name, (f"Participant {number}",))
            return Found((who,), match["file"] or "" if flat else path[-1])
        if self.canvas and (flat or is_zip(head)) and (match := CANVAS.fullmatch(head)):
            user = match["user"] or ""
            key = match["anon"] or f"{match['name']}_{user}"
            who = Who(key, match["name"] or "", (), user)
            return Found((who,), match["file"] if flat else path[-1], _number(match["number"]))
        if flat:
            return None
        if match := GRADESCOPE.fullmatch(head):
            handed = self.handed.get(head)
            group = tuple(
                Who(each.email or each.sid or each.name, each.name, (each.sid, each.email))
                for each in (handed.submitters if handed else ())
            )
            when = handed.when if handed else None
            return Found(group or (Who(head),), path[-1], _number(match[1]), when)
        stem = _stem(head)
        key = stem.removeprefix(self.prefix)
        return Found((Who(key, key, (stem, key)),), path[-1]) if key.strip() else None

    def _root(self) -> Parts:
        """The folders and zips around everything: one of each, and none that is a student's."""
        root: Parts = next(iter(self.paths), ())[: self.base]
        zips = folders = 1
        while (*root, NBGRADER) not in self.folders:
            tops = self._tops(root)
            if len(tops) != 1 or self._is_students(root, *tops):
                return root
            zipped = is_zip(*tops)
            zips, folders = zips - zipped, folders - (not zipped)
            if zips < 0 or folders < 0:
                return root
            root = (*root, *tops)
        return (*root, NBGRADER)

    def _tops(self, root: Parts) -> set[str]:
        """The folders and zips right below."""
        depth = len(root)
        closed = {path for path in self.paths if is_zip(path[-1])}
        return {each[depth] for each in self.folders | closed if len(each) == depth + 1
                and each[:depth] == root}  # fmt: skip

    def _is_students(self, root: Parts, name: str) -> bool:
        """Whether the only folder or zip is somebody's, and not a wrapping."""
        here = (*root, name)
        depth = len(here)
        return (
            any(shape.fullmatch(name) for shape in (CANVAS, MOODLE, GRADESCOPE))
            or self.is_known(_stem(name))
            or (*here, KATAS) in self.folders
            or any(len(path) == depth + 1 and path[:depth] == here and self.is_kata(path[-1])
                   for path in self.paths)
        )  # fmt: skip

    def _is_clone(self, folder: Parts) -> bool:
        return (*folder, KATAS) in self.folders and any(
            (*folder, each) in self.folders for each in OURS
        )

    def _prefix(self) -> str:
        """What the names of all clones begin with, as in ps1-alice, ps1-bob."""
        clones = [_stem(top) for top in self._tops(self.root)
                  if (*self.root, top, KATAS) in self.folders]  # fmt: skip
        if len(clones) < 2:
            return ""
        ends = zip(min(clones), max(clones), strict=False)
        common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
        prefix = common[: common.rfind("-") + 1]
        return prefix if prefix not in clones else ""


def _stem(name: str) -> str:
    return name[: -len(".zip")] if is_zip(name) else name


def _number(digits: str) -> int:
    return int(digits[:30])
