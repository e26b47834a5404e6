"""What the formats share: rows in file order, points that add up, and text that is safe to show."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from checker.kata.verdict import LEFT_OUT, Json
from checker.plain import LOG_COMMAND, MARK, plain

LIMIT: Final = 2000  # characters of a message or of printed output
FOLDERS: Final = re.compile(r"(?:(?<![\w/.~])|\b[A-Za-z]:)[/\\](?:[^\s/\\'\"<>|:;,()]+[/\\])+")
NO_XML: Final = str.maketrans({"\ufffe": "\\ufffe", "\uffff": "\\uffff"})
WHOLE: Final = "can_be_judged"  # the name of the row for the whole file
STATEMENT: Final = "The file can be run."
DEFAULTS: Final = {
    "kept": "",
    "broken": "does not hold",
    "error": "could not be run",
    "timeout": "ran out of time",
    "skipped": "was not run",
}


@dataclass(frozen=True)
class ReportRow:
    """An invariant of one kata, or its whole file if that could not be graded."""

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
    graded: bool = True  # if not, this is not about the subject

    @property
    def passed(self) -> bool:
        """Whether the invariant was run and holds."""
        return self.status == "kept"

    @property
    def title(self) -> str:
        """The kata and the statement."""
        return f"{self.kata}: {self.statement}"


def rows(verdict: Json) -> list[ReportRow]:
    """The rows of a verdict in file order; their points and maxima add up to the verdict's.

    If the file could not be graded, the first row says why.
    """
    found = [_row(verdict, *pair) for pair in zip(verdict["checks"], _points(verdict), strict=True)]
    if verdict["status"] in ("pass", "fail"):
        return found
    graded = verdict["status"] != "not-graded"
    left = verdict["max_score"] - sum(row.max_points for row in found)
    status = "timeout" if verdict["reason"] == "time-limit" else "error"
    whole = ReportRow(
        verdict["kata"], WHOLE, STATEMENT, status, 0, left, why(verdict), graded=graded
    )
    return [whole, *found]


def _row(verdict: Json, check: Json, points: int) -> ReportRow:
    graded = verdict["status"] != "not-graded"
    status = check["status"] if graded else "skipped"
    message = check["message"] if graded else None
    return ReportRow(
        verdict["kata"],
        check["name"],
        check["statement"],
        status,
        points,
        check["max_points"],
        quoted(message or DEFAULTS[status]),
        check["duration_ms"],
        check["got"],
        check["want"],
        graded,
    )


def total(verdicts: Iterable[Json]) -> tuple[int, int]:
    """The score and its maximum over all katas."""
    pairs = [(verdict["score"], verdict["max_score"]) for verdict in verdicts]
    return sum(score for score, _ in pairs), sum(most for _, most in pairs)


def why(verdict: Json) -> str:
    """Why a file was not graded, and the place in it, if known."""
    message = verdict["message"] or verdict["reason"] or "no reason given"
    if verdict["reason"] == LEFT_OUT:
        message = f"could not be graded: {message}"
    elif verdict["status"] == "not-graded":
        message = f"could not be graded (a checker problem, not yours): {message}"
    return quoted("\n".join([message, *verdict["excerpt"]]))


def summary(verdicts: Sequence[Json]) -> str:
    """One line per kata with its result."""
    return "\n".join(_line(verdict) for verdict in verdicts)


def printed(verdicts: Sequence[Json], limit: int = LIMIT) -> str:
    """What the subjects printed, marked, with the name of the kata if there are several."""
    texts = [
        (verdict["kata"], MARK + quoted(text, limit))
        for verdict in verdicts
        if (text := verdict["stdout"].rstrip())
    ]
    if len(verdicts) == 1:
        return "".join(text for _, text in texts)
    return "\n".join(f"{kata} printed:\n{text}" for kata, text in texts)


def quoted(text: str, limit: int = LIMIT) -> str:
    """The text cleaned, with a mark on all lines but the first, so that none passes for ours."""
    cleaned = clean(text, limit).replace("\n", f"\n{MARK}")
    return f"{MARK}{cleaned}" if cleaned.lstrip().startswith("::") else cleaned  # for a build log


def clean(text: str, limit: int = LIMIT) -> str:
    """The text cut, without the folders of absolute paths, and safe to show."""
    short = FOLDERS.sub("", text[: 2 * limit]).translate(NO_XML)
    lines = "\n".join(LOG_COMMAND.sub("# #", plain(line)) for line in short.split("\n"))
    return lines if len(lines) <= limit and len(text) <= 2 * limit else f"{lines[: limit - 4]} ..."


def file_name(verdict: Json) -> str:
    """The last part of the file's name."""
    return clean(re.split(r"[/\\]", verdict["file"])[-1], 100)


def dumps(data: Json) -> str:
    """The text of a JSON file, in ASCII."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _points(verdict: Json) -> list[int]:
    """The points of each check; broken guards cost no more than was earned."""
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
            return f"{name}: all {len(verdict['checks'])} invariants kept, {points}"
        case "fail":
            return f"{name}: {broken} of {len(verdict['checks'])} invariants broken, {points}"
        case "error":
            return f"{name}: could not be run ({verdict['reason']}), {points}: {why(verdict)}"
    return f"{name}: {why(verdict)}"
