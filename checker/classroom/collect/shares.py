"""How much may be read of what each student handed in, so that no student costs another."""

from collections.abc import Callable, Iterable
from typing import Final

from checker.classroom.collect.entries import Budget, MiB
from checker.classroom.collect.names import KATA_FILE
from checker.classroom.collect.owners import CANVAS, GRADESCOPE, KATAS, MOODLE, NBGRADER
from checker.classroom.collect.zips import is_zip

MAX_STUDENT: Final = 64 * MiB  # read of one student's files
MAX_WRAPPERS: Final = 4096 * MiB  # read of the zips around a whole class


class Shares(Budget):
    """The budgets of a class: one per student, and one for what is around all of them."""

    is_shared = True

    def __init__(self) -> None:
        super().__init__(MAX_WRAPPERS)
        self.students: dict[str, Budget] = {}
        self.wrappers = {"folder", "zip"}  # there is at most one of each

    def split(self, tops: Iterable[str], files: Iterable[str]) -> Callable[[str], Budget]:
        """Whose budget each name of one level counts for; `tops` are its folders and zips."""
        found = set(tops)
        if KATAS in found or any(map(KATA_FILE.fullmatch, files)):
            return lambda name: self._student("")  # all of it is one student's
        wrapper = self._wrapper(found)
        return lambda name: self if name == wrapper else self._student(_owner(name))

    def _wrapper(self, tops: set[str]) -> str | None:
        """The folder or zip around the whole class, if there is one; see `Layout`."""
        if NBGRADER in tops:
            self.wrappers.clear()
            return NBGRADER
        only = next(iter(tops)) if len(tops) == 1 else ""
        kind = "zip" if is_zip(only) else "folder"
        is_students = any(each.fullmatch(only) for each in (CANVAS, MOODLE, GRADESCOPE))
        if not only or is_students or kind not in self.wrappers:
            return None
        self.wrappers.remove(kind)
        return only

    def _student(self, key: str) -> Budget:
        return self.students.setdefault(key, Budget(MAX_STUDENT))


def _owner(name: str) -> str:
    """What all files of one student have in common, where a platform puts them side by side."""
    if match := CANVAS.fullmatch(name):
        return match["anon"] or f"{match['name']}_{match['user']}"
    if match := MOODLE.fullmatch(name):
        return f"{match['name']}_{match['number']}"
    return name
