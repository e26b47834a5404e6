"""Grade one portion of a class in this process.

`python -m checker.classroom.run.portion` reads a portion as JSON from stdin and writes its records
to stdout, for processes that cannot run the judge themselves, such as a cluster's worker.
"""

import base64
import json
import os
import sys
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

from checker.classroom.collect.submission import Submission
from checker.judge import start
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.source import parse
from checker.kata.verdict import Json, Verdict

FIRST: Final = "kata01"  # the judge is tested on it


@dataclass(frozen=True)
class Portion:
    """Submissions to grade together, and how."""

    submissions: list[Submission]
    seed: int
    isolation: str

    def split(self) -> list["Portion"]:
        """A portion for each submission."""
        return [Portion([one], self.seed, self.isolation) for one in self.submissions]

    def right(self) -> "Portion":
        """A file known to be right, graded in the same way."""
        data = catalog.find(FIRST).reference.read_bytes()
        return Portion([Submission("", FIRST, "", data, len(data))], self.seed, self.isolation)

    def crashed(self) -> list[Json]:
        """The records if grading these submissions crashes the process, whichever it is."""
        return [
            {
                "kata": one.kata,
                "content": one.sha256,
                "verdict": _crash(one, self.seed).to_json(),
                "diagnosis": None,
            }
            for one in self.submissions
        ]


def work(portion: Portion) -> list[Json]:
    """A record for each submission. Raises `NotGraded` if the judge does not work."""
    rehearse_once(portion.isolation)
    jobs = [_job(one) for one in portion.submissions]
    verdicts = start.grade_all(jobs, seed=portion.seed, isolation=portion.isolation)
    return [
        {
            "kata": one.kata,
            "content": one.sha256,
            "verdict": verdict.to_json(),
            "diagnosis": _diagnosis(job, verdict, portion.isolation),
        }
        for one, job, verdict in zip(portion.submissions, jobs, verdicts, strict=True)
    ]


def _crash(one: Submission, seed: int) -> Verdict:
    title, message = catalog.find(one.kata).title, "grading it crashed the checker every time"
    verdict = Verdict(one.kata, title, one.name, one.sha256, "error", "crashed", message)
    verdict.seed = seed
    return verdict


def _job(one: Submission) -> Job:
    """A job that stays in memory: a process that is killed leaves no file of a student."""
    name = f"{one.kata}.py"
    return Job(catalog.find(one.kata), Path(name), name, partial(parse, one.data, one.size))


@cache
def rehearse_once(isolation: str) -> None:
    """Check once per process that the judge works. Raises `NotGraded`."""
    start.rehearse(catalog.find(FIRST), isolation)


def _diagnosis(job: Job, verdict: Verdict, isolation: str) -> str | None:
    """Which known bug a wrong answer behaves like, if any."""
    from checker.judge.diagnosis import REFERENCE, UNKNOWN, diagnose

    if verdict.status != "fail":
        return None
    line = diagnose(job, isolation, verdict)
    return None if line in (REFERENCE, UNKNOWN) else line


def to_json(portion: Portion) -> str:
    """A portion as text: what was handed in, but not by whom."""
    submissions = [
        {"kata": one.kata, "data": base64.b64encode(one.data).decode(), "size": one.size}
        for one in portion.submissions
    ]
    return json.dumps({**vars(portion), "submissions": submissions})


def from_json(text: str) -> Portion:
    """The portion of such a text."""
    portion = json.loads(text)
    submissions = [
        Submission("", one["kata"], "", base64.b64decode(one["data"]), one["size"])
        for one in portion["submissions"]
    ]
    return Portion(**{**portion, "submissions": submissions})


def main() -> None:
    """Read a portion, write its records; anything else that is printed goes to stderr."""
    stdout, sys.stdout = os.dup(1), sys.stderr
    os.dup2(2, 1)
    records = work(from_json(sys.stdin.read()))
    with open(stdout, "w") as out:
        json.dump(records, out)


if __name__ == "__main__":
    main()
