"""PrairieLearn's `results.json`."""

from collections.abc import Sequence
from typing import Final

from checker.kata.verdict import Json
from checker.reports.parts import LIMIT, ReportRow, clean, dumps, printed, rows, summary, total, why

MAX_BYTES: Final = 1_000_000
FORMAT_ERRORS: Final = {
    "syntax-error",
    "import-error",
    "missing-name",
    "too-large",
    "unreadable",
}


def report(verdicts: Sequence[Json]) -> str:
    """If any file could not be loaded or graded, the submission costs no attempt."""
    errors = [
        f"{verdict['kata']}: {why(verdict)}" for verdict in verdicts if _costs_nothing(verdict)
    ]
    for limit in (LIMIT, LIMIT // 10):
        text = _text(verdicts, errors, limit)
        if len(text) <= MAX_BYTES:
            break
    return text


def _costs_nothing(verdict: Json) -> bool:
    """Whether the file was not graded, or could not be loaded: it revealed nothing."""
    ran = any(check["status"] in ("kept", "broken") for check in verdict["checks"])
    is_format_error = verdict["reason"] in FORMAT_ERRORS and not ran
    return verdict["status"] == "not-graded" or (verdict["status"] == "error" and is_format_error)


def _text(verdicts: Sequence[Json], errors: Sequence[str], limit: int) -> str:
    score, most = total(verdicts)
    return dumps(
        {
            "gradable": not errors,
            "score": 0.0 if errors else score / most,
            "message": clean(summary(verdicts), 10 * limit),
            "output": printed(verdicts, limit),
            "format_errors": [clean(error, limit) for error in errors],
            "tests": [_test(row, limit) for verdict in verdicts for row in rows(verdict)],
        }
    )


def _test(row: ReportRow, limit: int) -> Json:
    return {
        "name": f"{row.kata}: {row.name.replace('_', ' ')}",
        "description": row.statement,
        "points": row.points,
        "max_points": row.max_points,
        "message": clean(row.message, limit),
        "output": "",
    }
