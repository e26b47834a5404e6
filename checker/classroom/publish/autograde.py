"""Grading on a platform: one student's files, and a result file whatever happens."""

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
from checker.judge.start import Job
from checker.kata import catalog
from checker.kata.source import BadSource
from checker.kata.verdict import Verdict
from checker.reports import FORMATS, Json

ENTRIES: Final = 10_000  # files and folders that are looked at


@dataclass(frozen=True)
class Plan:
    """What an instructor has decided when the autograder was exported."""

    katas: list[str]
    seed: int = 0
    exam: bool = True  # which invariants broke, and no numbers
    isolation: str = "auto"

    @classmethod
    def load(cls, file: Path) -> "Plan":
        """The plan that `text` has made."""
        return cls(**json.loads(file.read_text(encoding="utf-8")))

    @property
    def text(self) -> str:
        """The plan as a JSON file."""
        return json.dumps(asdict(self), indent=2) + "\n"

    def not_graded(self, message: str) -> list[Json]:
        """A verdict for each kata that says that there is none."""
        known = catalog.katas()
        verdicts = [
            Verdict(name, known[name].title, f"{name}.py", None, "not-graded", "sandbox", message)
            for name in self.katas
        ]
        return [asdict(verdict) for verdict in verdicts]

    def say_not_graded(self, form: str, result: Path, message: str) -> None:
        """Write a result that says that nothing was graded, and why."""
        files.write(result, FORMATS[form](self.not_graded(message)))


def autograde(form: str, plan: Plan, submission: Path, result: Path) -> bool:
    """Grade a folder and write the result; return whether all of it was graded.

    Uses the machine's best isolation, or the level that the plan requires, and prints which on
    stdout, where instructors look.
    """
    plan.say_not_graded(form, result, "the checker was ended before it had a verdict")
    try:
        verdicts = [verdict.to_json() for verdict in judged(plan, submission)]
    except Exception as error:
        why = str(error) if isinstance(error, NotGraded) else type(error).__name__
        print(f"error: not graded: {type(error).__name__}: {error}", file=sys.stderr)
        plan.say_not_graded(form, result, f"the checker failed ({why})")
        return False
    levels = [verdict["isolation"] for verdict in verdicts]
    for line in sorted({_isolation(level) for level in levels if level["layers"]}):
        print(line)
    files.write(result, FORMATS[form](verdicts, exam=plan.exam))
    return all(verdict["status"] != "not-graded" for verdict in verdicts)


def judged(plan: Plan, submission: Path) -> list[Verdict]:
    """A verdict for each kata. Raises `NotGraded` if the judge does not pass its rehearsal."""
    katas = [catalog.find(name) for name in plan.katas]
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
        start.rehearse(jobs[0].kata, plan.isolation)
        found = start.grade_all(jobs, seed=plan.seed, isolation=plan.isolation)
        verdicts.update(zip((job.kata for job in jobs), found, strict=True))
    return [verdicts[kata] for kata in katas]


def find_file(folder: Path, name: str) -> Path:
    """The file of that name that was handed in: at the top, in `katas`, or the only one below.

    No link is followed: it could lead to the reference. Raises `BadSource`.
    """
    found, links = _named(folder, name)
    for place in (folder, folder / "katas"):
        for file in found:
            if file.parent == place:
                return file
    if len(found) == 1:
        return found[0]
    if found:
        raise BadSource("unreadable", f"{len(found)} files are called {name}: hand in one")
    told = f"{name} is a link: hand in the file itself" if links else f"there is no {name}"
    raise BadSource("unreadable", told)


def _named(folder: Path, name: str) -> tuple[Sequence[Path], bool]:
    """The files of that name, however its letters are written, and whether links have it too."""
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


def _isolation(isolation: Json) -> str:
    parts = [", ".join(isolation[key]) for key in ("layers", "missing")]
    return f"isolation: {isolation['level']} (has: {parts[0] or '-'}; lacks: {parts[1] or '-'})"
