"""What the formats are made of: rows in file order, points that sum, text that can do no harm."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from checker.plain import plain

Json = dict[str, Any]

LIMIT: Final = 2000  # characters of a message or of what was printed
FOLDERS: Final = re.compile(r"(?:(?<![\w/.~])|\b[A-Za-z]:)[/\\](?:[^\s/\\'\"<>|:;,()]+[/\\])+")
NO_XML: Final = str.maketrans({"\ufffe": "\\ufffe", "\uffff": "\\uffff"})
DEFAULTS: Final = {
    "kept": "",
    "broken": "does not hold",
    "error": "could not be asked",
    "timeout": "ran out of time",
    "skipped": "was not asked",
}


@dataclass(frozen=True)
class Row:
    """An invariant of one kata, or its whole file where that could not be judged."""

    kata: str
    name: str
    statement: str
    status: str  # of a check
    points: int
    max_points: int
    message: str  # empty if kept
    milliseconds: int = 0
    got: float | str | None = None
    want: float | str | None = None
    graded: bool = True  # if not, this says nothing about the subject

    @property
    def passed(self) -> bool:
        """Whether the invariant was asked and holds."""
        return self.status == "kept"

    @property
    def title(self) -> str:
        """The kata and what was asked of it."""
        return f"{self.kata}: {self.statement}"


def rows(verdict: Json) -> list[Row]:
    """The rows of a verdict in file order; their points sum to its score, and so do the maxima.

    Where the file could not be judged the first row says why.
    """
    graded = verdict["status"] != "not-graded"
    points = _points(verdict)
    found = []
    for check, earned in zip(verdict["checks"], points, strict=True):
        status = check["status"] if graded else "skipped"
        message = clean(check["message"] or DEFAULTS[status]) if graded else DEFAULTS[status]
        found.append(
            Row(verdict["kata"], check["name"], check["statement"], status, earned,
                check["max_points"], message, check["duration_ms"], check["got"], check["want"],
                graded)
        )  # fmt: skip
    if verdict["status"] in ("pass", "fail"):
        return found
    left = verdict["max_score"] - sum(row.max_points for row in found)
    status = "timeout" if verdict["reason"] == "time-limit" else "error"
    statement = "The file can be judged."
    message = why(verdict)
    name = "can_be_judged"
    return [Row(verdict["kata"], name, statement, status, 0, left, message, graded=graded), *found]


def total(verdicts: Iterable[Json]) -> tuple[int, int]:
    """The score and its maximum over all katas."""
    pairs = [(verdict["score"], verdict["max_score"]) for verdict in verdicts]
    return sum(score for score, _ in pairs), sum(most for _, most in pairs)


def why(verdict: Json) -> str:
    """Why a file was not judged, and the place in it where there is one."""
    told = verdict["message"] or verdict["reason"] or "no reason is known"
    if verdict["status"] == "not-graded":
        told = f"not graded, and that is not the file's fault: {told}"
    return clean("\n".join([told, *verdict["excerpt"]]))


def summary(verdicts: Sequence[Json]) -> str:
    """One line a kata: what came of it."""
    return "\n".join(_line(verdict) for verdict in verdicts)


def printed(verdicts: Sequence[Json], limit: int = LIMIT) -> str:
    """What the subjects printed, each behind its kata where there are several."""
    texts = [
        (verdict["kata"], text)
        for verdict in verdicts
        if (text := clean(verdict["stdout"].rstrip(), limit))
    ]
    if len(verdicts) == 1:
        return "".join(text for _, text in texts)
    return "\n".join(f"{kata} printed:\n{text}" for kata, text in texts)


def clean(text: str, limit: int = LIMIT) -> str:
    """The text cut, without the folders of absolute paths, and with no power over its reader."""
    short = FOLDERS.sub("", text[: 2 * limit]).translate(NO_XML)
    lines = "\n".join(plain(line) for line in short.split("\n"))
    return lines if len(lines) <= limit and len(text) <= 2 * limit else f"{lines[: limit - 4]} ..."


def file_name(verdict: Json) -> str:
    """The last part of the file's name."""
    return clean(re.split(r"[/\\]", verdict["file"])[-1], 100)


def dumps(data: Json) -> str:
    """The text of a JSON file, in ASCII."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _points(verdict: Json) -> list[int]:
    """The points of each check, but broken guards take no more than was earned."""
    if verdict["status"] == "not-graded":
        return [0] * len(verdict["checks"])
    points = [check["points"] for check in verdict["checks"]]
    left = sum(point for point in points if point > 0)
    for i, point in enumerate(points):
        if point < 0:
            points[i] = -min(-point, left)
            left += points[i]
    return points


def _line(verdict: Json) -> str:
    name = f"{verdict['kata']} {verdict['title']}"
    points = f"{verdict['score']} of {verdict['max_score']} points"
    broken = sum(check["status"] != "kept" for check in verdict["checks"])
    match verdict["status"]:
        case "pass":
            return f"{name}: all {len(verdict['checks'])} invariants hold, {points}"
        case "fail":
            return f"{name}: {broken} of {len(verdict['checks'])} invariants broken, {points}"
        case "error":
            return f"{name}: could not be judged ({verdict['reason']}), {points}: {why(verdict)}"
    return f"{name}: {why(verdict)}"
