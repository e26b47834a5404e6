"""Grade one student's files on a platform; a result file is written whatever happens."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from checker import files
from checker.errors import NotGraded
from checker.judge import start
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.source import BadSource
from checker.kata.verdict import Json, Verdict
from checker.plain import for_people
from checker.reports import FORMATS

ENTRIES: Final = 10_000  # files and folders that are searched


@dataclass(frozen=True)
class Assignment:
    """What the instructor chose when exporting the autograder."""

    katas: list[str]
    seed: int = 0
    exam: bool = True  # show which invariants broke, without numbers
    isolation: str = "auto"

    @classmethod
    def load(cls, file: Path) -> "Assignment":
        """Read what `text` wrote."""
        return cls(**json.loads(file.read_text(encoding="utf-8")))

    @property
    def text(self) -> str:
        """The assignment as a JSON file."""
        return json.dumps(asdict(self), indent=2) + "\n"

    def not_graded(self, message: str) -> list[Json]:
        """For each kata the verdict that it was not graded, and why."""
        known = catalog.katas()
        verdicts = [
            Verdict(name, known[name].title, f"{name}.py", None, "not-graded", "sandbox", message)
            for name in self.katas
        ]
        return [asdict(verdict) for verdict in verdicts]

    def write_not_graded(self, form: str, result: Path, message: str) -> None:
        """Write a result file that says that nothing was graded, and why."""
        files.write(result, FORMATS[form](self.not_graded(message), exam=False))


def autograde(form: str, assignment: Assignment, submission: Path, result: Path) -> bool:
    """Grade a folder and write the result file; return whether everything was graded.

    Runs at the machine's best isolation, or at the level that the assignment requires, and prints
    the level to stdout, which only instructors see.
    """
    assignment.write_not_graded(form, result, "the checker was stopped before it finished")
    try:
        verdicts = [verdict.to_json() for verdict in grade_folder(assignment, submission)]
    except Exception as error:
        why = str(error) if isinstance(error, NotGraded) else type(error).__name__
        _log(f"error: not graded: {type(error).__name__}: {error}")
        assignment.write_not_graded(form, result, f"the checker failed ({why})")
        return False
    levels = [verdict["isolation"] for verdict in verdicts]
    for line in sorted({_isolation(level) for level in levels if level["layers"]}):
        print(for_people(line))
    files.write(result, FORMATS[form](verdicts, exam=assignment.exam))
    failed = [verdict for verdict in verdicts if verdict["status"] == "not-graded"]
    for verdict in failed:
        _log(f"error: not graded: {verdict['kata']}: {verdict['message']}")
    return not failed


def grade_folder(assignment: Assignment, submission: Path) -> list[Verdict]:
    """A verdict for each kata. Raises `NotGraded` if the judge does not work here."""
    katas = [catalog.find(name) for name in assignment.katas]
    verdicts, jobs = {}, []
    for kata in katas:
        name = f"{kata.name}.py"
        try:
            jobs.append(Job(kata, find_file(submission, name), name))
        except BadSource as error:
            verdicts[kata] = Verdict(
                kata.name, kata.title, name, None, "error", error.reason, error.message
            )
    if jobs:
        start.rehearse(jobs[0].kata, assignment.isolation)
        found = start.grade_all(jobs, seed=assignment.seed, isolation=assignment.isolation)
        verdicts.update(zip((job.kata for job in jobs), found, strict=True))
    return [verdicts[kata] for kata in katas]


def find_file(folder: Path, name: str) -> Path:
    """The submitted file of that name: at the top, in `katas`, or the only one anywhere.

    Links are not followed: one could lead to the reference. Raises `BadSource`.
    """
    found, is_linked = _search(folder, name)
    for place in (folder, folder / "katas"):
        for file in found:
            if file.parent == place:
                return file
    if len(found) == 1:
        return found[0]
    if found:
        raise BadSource(
            "unreadable", f"there are {len(found)} files called {name}: hand in only one"
        )
    if is_linked:
        raise BadSource("unreadable", f"{name} is a link: hand in the file itself")
    raise BadSource("unreadable", f"there is no {name}")


def _search(folder: Path, name: str) -> tuple[Sequence[Path], bool]:
    """The files of that name, in any case, and whether there are links of that name."""
    found, links, seen = [], False, 0
    for place, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith((".", "__MACOSX"))]
        seen += len(folders) + len(names)
        if seen > ENTRIES:
            raise BadSource("too-large", f"more than {ENTRIES:,} files were handed in")
        for file in (Path(place, one) for one in [*folders, *names] if one.lower() == name):
            links |= file.is_symlink()
            found += [file] if file.is_file() and not file.is_symlink() else []
    return sorted(found), links


def _log(line: str) -> None:
    """Print a line to the platform's log."""
    print(for_people(line), file=sys.stderr)


def _isolation(isolation: Json) -> str:
    parts = [", ".join(isolation[key]) for key in ("layers", "missing")]
    return f"isolation: {isolation['level']} (has: {parts[0] or '-'}; lacks: {parts[1] or '-'})"
