"""One portion of a class: some texts graded in this process, as plain data in and out.

`python -m checker.classroom.run.portion` reads a portion as JSON and writes its records, for a
process that has no place for a judge, such as a cluster's worker.
"""

import base64
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from checker.judge import start
from checker.kata import catalog
from checker.kata.verdict import Verdict

Json = dict[str, Any]

FIRST: Final = "kata01"  # what the judge is tried on


@dataclass(frozen=True)
class Text:
    """A text that was handed in as a kata; `content` is the hash of its data."""

    kata: str
    content: str
    data: bytes


@dataclass(frozen=True)
class Portion:
    """Texts to be graded together, and how."""

    texts: list[Text]
    seed: int
    isolation: str


def work(portion: Portion) -> list[Json]:
    """A record of each text. Raises `NotGraded` if the judge cannot judge."""
    rehearsed(portion.isolation)
    with tempfile.TemporaryDirectory() as folder:
        jobs: list[start.Job] = []
        for text in portion.texts:
            file = Path(folder) / f"{len(jobs)}" / f"{text.kata}.py"
            file.parent.mkdir()
            file.write_bytes(text.data)
            jobs.append(start.Job(catalog.find(text.kata), file, f"{text.kata}.py"))
        verdicts = start.grade_all(jobs, seed=portion.seed, isolation=portion.isolation)
        return [
            {
                "kata": text.kata,
                "content": text.content,
                "verdict": verdict.to_json(),
                "diagnosis": _diagnosis(job, verdict, portion.isolation),
            }
            for text, job, verdict in zip(portion.texts, jobs, verdicts, strict=True)
        ]


@cache
def rehearsed(isolation: str) -> None:
    """Check once in this process that the judge can judge. Raises `NotGraded`."""
    start.rehearse(catalog.find(FIRST), isolation)


def _diagnosis(job: start.Job, verdict: Verdict, isolation: str) -> str | None:
    """What a wrong answer behaves like, if that is known."""
    from checker.judge.diagnosis import REFERENCE, UNKNOWN, diagnose

    if verdict.status != "fail":
        return None
    line = diagnose(job.kata, job.path, isolation)
    return None if line in (REFERENCE, UNKNOWN) else line


def to_json(portion: Portion) -> str:
    """A portion as text."""
    texts = [{**vars(text), "data": base64.b64encode(text.data).decode()} for text in portion.texts]
    return json.dumps({**vars(portion), "texts": texts})


def from_json(text: str) -> Portion:
    """The portion of such a text."""
    data = json.loads(text)
    texts = [Text(**{**one, "data": base64.b64decode(one["data"])}) for one in data["texts"]]
    return Portion(**{**data, "texts": texts})


def main() -> None:
    """Read a portion, write its records; whatever else is printed goes to stderr."""
    told, sys.stdout = os.dup(1), sys.stderr
    os.dup2(2, 1)
    records = work(from_json(sys.stdin.read()))
    with open(told, "w") as out:
        json.dump(records, out)


if __name__ == "__main__":
    main()
