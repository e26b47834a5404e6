"""PrairieLearn's `results.json`."""

from collections.abc import Sequence
from typing import Final

from checker.reports.parts import LIMIT, Json, Row, clean, dumps, printed, rows, summary, total, why

MAX_BYTES: Final = 1_000_000
FORMAT_ERRORS: Final = {
    "syntax-error", "import-error", "missing-name", "too-large", "unreadable",
}  # fmt: skip


def write(verdicts: Sequence[Json]) -> str:
    """What could not even be loaded, or was not graded, costs no attempt; nor does its company."""
    errors = [
        f"{verdict['kata']}: {why(verdict)}" for verdict in verdicts if _costs_nothing(verdict)
    ]
    for limit in (LIMIT, LIMIT // 10):
        text = _text(verdicts, errors, limit)
        if len(text) <= MAX_BYTES:
            break
    return text


def _costs_nothing(verdict: Json) -> bool:
    """Whether nothing was learnt from it: a name that goes missing later is no error of form."""
    told = any(check["status"] in ("kept", "broken") for check in verdict["checks"])
    of_form = verdict["reason"] in FORMAT_ERRORS and not told
    return verdict["status"] == "not-graded" or (verdict["status"] == "error" and of_form)


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


def _test(row: Row, limit: int) -> Json:
    return {
        "name": f"{row.kata}: {row.name.replace('_', ' ')}",
        "description": row.statement,
        "points": row.points,
        "max_points": row.max_points,
        "message": clean(row.message, limit),
        "output": "",
    }
