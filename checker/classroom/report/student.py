"""What a student is told of each kata: what holds, what does not, and what to do next."""

from collections.abc import Iterator
from typing import Any, Final

from checker.classroom.report.format import cut, times, who
from checker.classroom.results import Batch, Graded, Json
from checker.kata import catalog
from checker.kata.verdict import MAX_SCORE
from checker.plain import lines

HINTED: Final = ("fail", "error", "missing")

ADVICE: Final = {
    "syntax-error": "Python cannot read the file: look at the line named above, and just before.",
    "import-error": "The file stops while it is loaded, at the line named above. Keep to numpy and "
    "the standard library, and let nothing outside the functions ask, open or draw.",
    "missing-name": "The docstring says what the file has to define: put back what was renamed, "
    "indented or removed.",
    "time-limit": "Look for a loop that never ends, or for one inside another over every number.",
    "memory-limit": "Look for an array or a list that grows much larger than the inputs.",
    "exited": "Take out whatever ends Python: `exit()`, `quit()`, `sys.exit()`.",
    "crashed": "Take out whatever reaches below Python: numpy alone is enough.",
    "too-large": "Hand in the kata alone, without data in it.",
    "unreadable": "Save the file as text in UTF-8, look into it once more, and hand that one in.",
}
NOT_GRADED: Final = "This says nothing of your file: ask for it to be graded again."


def feedback(batch: Batch, student: str) -> Json:
    """All that the page of a student says; nothing of it is another's, or names a fault."""
    graded = batch.of(student)
    parts = [_part(batch, kata, graded.get(kata)) for kata in batch.katas]
    return {
        "who": who(batch, student),
        "parts": parts,
        "passed": sum(part["status"] == "pass" for part in parts),
        "points": sum(part["points"] for part in parts),
        "maximum": MAX_SCORE * len(parts),
    }


def _part(batch: Batch, name: str, graded: Graded | None) -> Json:
    kata = catalog.find(name)
    verdict = graded.verdict if graded else {}
    status, printed = verdict.get("status", "missing"), verdict.get("stdout", "").rstrip()
    return {
        "kata": name,
        "title": kata.title,
        "status": status,
        "points": verdict.get("score", 0),
        "checks": list(_checks(verdict.get("checks", []), exam=batch.exam)),
        "printed": list(lines(printed, "")) if printed and not batch.exam else [],
        "found": cut(graded.name) if graded else "",
        "when": times([graded.when]) if graded else "",
        "earlier": times(graded.earlier) if graded else "",
        "told": list(_stopped(verdict)) if status == "error" else [],
        "advice": _advice(status, verdict.get("reason")),
        "hint": kata.hints[0] if status in HINTED and not batch.exam else "",
    }


def _checks(checks: list[Json], *, exam: bool) -> Iterator[Json]:
    """The statements, in an exam without numbers; none where none was asked."""
    if all(check["status"] == "skipped" for check in checks):
        return
    said: set[Any] = {None}
    for check in checks:
        message = None if exam else check["message"]
        told = "the same again" if message in said else message or ""
        yield {**check, "told": list(lines(told, "")) if message else []}
        said.add(message)


def _stopped(verdict: Json) -> Iterator[str]:
    """The line of the exception, and the line of code that it points at."""
    for text in [verdict["message"] or "", *verdict["excerpt"]]:
        yield from lines(text, "")


def _advice(status: str, reason: str | None) -> str:
    return NOT_GRADED if status == "not-graded" else ADVICE.get(reason or "", "")
